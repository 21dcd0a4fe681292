-- Letters as they came, whole, as evidence. The same letter is remembered once: a sender may repeat or omit an id, so the
-- hash of the letter counts as well.
create table letters (
    id integer primary key,
    carrier text not null,
    message_id text not null,
    hash text not null,
    arrived_at text not null,
    remembered_at text not null,
    raw blob not null,
    status text not null default 'waiting'
        check (status in ('waiting', 'handled', 'parked', 'aside', 'ignored')),
    sender text not null default '',
    game text,
    seat integer,
    remark text,
    unique (carrier, message_id, hash)
) strict;

create index letters_waiting on letters (id) where status = 'waiting';
create index letters_by_sender on letters (sender, arrived_at) where sender <> '';

-- A letter from an address that is not proved, and the question that was sent to the known one.
create table parked (
    letter integer primary key references letters (id),
    game text not null references games (id),
    seat integer not null,
    sender text not null,
    question text not null unique
) strict;
