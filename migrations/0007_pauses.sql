-- Since when the clock of a game stands still, so that what was left of its time is left again afterwards.
alter table games add column paused_at text;
