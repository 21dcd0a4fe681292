-- When another person took the seat, or answers for it. What we wrote before to somebody who is gone proves nobody.
alter table seats add column changed_at text;

-- What players wrote to each other goes when it is old, whatever its game.
create index messages_by_age on messages (sent_at);
