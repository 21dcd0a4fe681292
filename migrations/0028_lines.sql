-- Letters that wait and letters that leave stand in lines, one for each game: the first of every line is found without
-- reading through those behind it.
drop index letters_waiting;
create index letters_in_line on letters (queue, arrived_at, id) where status = 'waiting';
drop index outbox_waiting;
create index outbox_in_line on outbox (carrier, game, next_try, id) where status = 'waiting';
