-- Whoever answers for a player reads times on a clock of their own.
alter table seats add column deputy_zone text;
