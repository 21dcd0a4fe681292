-- Games, who sits where, and how to reach them. Times are UTC in RFC 3339; a seat is the civilization's place in its
-- edition, and -1 is the moderator's.
create table keeping (
    name text primary key,
    value blob not null
) strict;

create table editions (
    hash text primary key,
    files text not null
) strict;

create table games (
    id text primary key,
    title text not null,
    edition text not null references editions (hash),
    settings text not null,
    seed blob not null check (length(seed) = 32),
    status text not null check (status in ('inviting', 'running', 'paused', 'ended')),
    era integer not null default 0,
    created_at text not null,
    opened_at text,
    cut_off text,
    all_in_at text
) strict;

create index games_by_cut_off on games (cut_off) where status = 'running';

create table seats (
    game text not null references games (id),
    seat integer not null,
    player text not null,
    language text not null,
    zone text not null,
    format text not null check (format in ('html', 'text')),
    companion text,
    accepted integer not null default 0 check (accepted in (0, 1)),
    extensions integer not null default 0,
    primary key (game, seat)
) strict;

create table addresses (
    game text not null,
    seat integer not null,
    carrier text not null,
    address text not null,
    role text not null check (role in ('player', 'deputy')),
    place integer not null,
    primary key (game, seat, address),
    foreign key (game, seat) references seats (game, seat)
) strict;

create index addresses_by_address on addresses (address);
