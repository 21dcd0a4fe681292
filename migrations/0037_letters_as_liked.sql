-- How much a player's letters tell, and whether they bring his view as data. It used to come with every report.
alter table seats add column detail text not null default 'normal' check (detail in ('brief', 'normal', 'full'));
alter table seats add column data integer not null default 0 check (data in (0, 1));
