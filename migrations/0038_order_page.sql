-- The order page. Which link of a seat is the good one: it is derived from this number; and whether its player wants the
-- answers to what he sends there by letter too.
create table links (
    game text not null references games (id),
    seat integer not null,
    generation integer not null default 0,
    copies integer not null default 0 check (copies in (0, 1)),
    primary key (game, seat)
) strict, without rowid;

-- Browsers that have shown whose seat they are at. In one game a browser has one seat; whoever shares it is asked again at
-- each change. Of the secret in its cookie only a hash is kept.
create table devices (
    id integer primary key,
    browser blob not null,
    game text not null references games (id),
    seat integer not null,
    -- The epoch of the archive in which it was confirmed: after a copy took its place nobody knows who was forgotten since.
    epoch integer not null,
    -- A deputy's ends with the absence, which is named by its beginning; a player's has none.
    absence text,
    name text not null,
    since text not null,
    seen text not null,
    unique (browser, game)
) strict;

create index devices_by_seat on devices (game, seat);

-- Codes that were sent, sealed. Each is for one browser.
create table codes (
    id integer primary key,
    browser blob not null,
    game text not null references games (id),
    seat integer not null,
    role text not null check (role in ('player', 'deputy')),
    sealed blob not null,
    -- Whether the browser had a seat of this game or another.
    known integer not null check (known in (0, 1)),
    name text not null,
    asked_at text not null,
    tries integer not null default 0,
    spent integer not null default 0 check (spent in (0, 1))
) strict;

create index codes_by_browser on codes (browser, game, id);
create index codes_by_seat on codes (game, seat, asked_at);

-- Answers that are read on the page: one for each form, however often it is sent.
create table page_answers (
    game text not null references games (id),
    seat integer not null,
    form text not null,
    told text,
    words text not null,
    written_at text not null,
    primary key (game, seat, form)
) strict, without rowid;
