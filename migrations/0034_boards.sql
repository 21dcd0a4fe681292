-- How often somebody wants news of the trade, in hours: 0 is each at once, null as is usual; and the last board that was shown,
-- with when that was: what came since waits for the next one.
alter table seats add column news integer;
alter table seats add column board_at text;
alter table seats add column board text;

-- When the next board of the trade is to leave; null while nobody waits for one.
alter table games add column board_at text;
