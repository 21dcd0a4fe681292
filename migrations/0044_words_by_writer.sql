-- What players wrote to each other, as they wrote it: on the order page it is read by correspondent, by both of them. The
-- letter that it left in is its reader's alone.
alter table outbox add column words text;

create index outbox_by_writer on outbox (game, writer, id) where writer is not null;
