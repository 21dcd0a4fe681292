-- Letters that leave the house. The message id is made of what a letter is about, so that it is written once.
create table pictures (
    hash text primary key,
    png blob not null
) strict;

create table outbox (
    id integer primary key,
    message_id text not null unique,
    secret text not null unique,
    game text,
    seat integer,
    kind text not null,
    turn integer,
    phase text,
    carrier text not null,
    recipient text not null,
    reply_to text,
    in_reply_to text,
    thread text,
    subject text not null,
    body text not null,
    html text,
    picture text references pictures (hash),
    data text,
    written_at text not null,
    status text not null default 'waiting' check (status in ('waiting', 'sent', 'dead')),
    attempts integer not null default 0,
    next_try text not null,
    sent_at text,
    trouble text
) strict;

create index outbox_waiting on outbox (next_try) where status = 'waiting';
create index outbox_by_game on outbox (game, seat, id);
