-- How often a letter was taken up: one during which the process ended twice is set aside.
alter table letters add column attempts integer not null default 0;
