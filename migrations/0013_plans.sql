-- Indices for everything that is looked for among what grows with letters and events.
drop index outbox_waiting;
drop index letters_waiting;
create index outbox_waiting on outbox (carrier, next_try, id) where status = 'waiting';
create index outbox_waiting_of on outbox (carrier, game, seat, id) where status = 'waiting';
create index outbox_by_picture on outbox (picture) where picture is not null;
create index outbox_by_post on outbox (carrier, post, id) where post is not null;
create index outbox_bulky on outbox (written_at) where bulky = 1 and status <> 'waiting';
create index letters_waiting on letters (arrived_at, id) where status = 'waiting';
create index letters_by_game on letters (game, id) where game is not null;
create index letters_whole on letters (remembered_at) where whole = 1 and status in ('handled', 'aside', 'ignored');
create index letters_by_time on letters (carrier, remembered_at);
create index parked_by_game on parked (game);
create index absences_by_game on absences (game, id);
create index moderation_by_letter on moderation (letter) where letter is not null;
