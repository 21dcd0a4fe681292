-- A moderator has a page too, and whoever moderates and plays has both in one browser. Of other seats a browser still has one a game.
create table browsers (
    id integer primary key,
    browser blob not null,
    game text not null references games (id),
    seat integer not null,
    moderates integer not null check (moderates in (0, 1)),
    -- The epoch of the archive in which it was confirmed: after a copy took its place nobody knows who was forgotten since.
    epoch integer not null,
    -- A deputy's ends with the absence, which is named by its beginning; a player's has none.
    absence text,
    name text not null,
    since text not null,
    seen text not null,
    unique (browser, game, moderates)
) strict;
insert into browsers select id, browser, game, seat, seat = -1, epoch, absence, name, since, seen from devices;
drop table devices;
alter table browsers rename to devices;
create index devices_by_seat on devices (game, seat);
