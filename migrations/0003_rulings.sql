-- What was ordered, what was ruled, and what happened. A ruling is made once for each turn, phase and step; an era ends with
-- a rollback, which voids rulings and deletes nothing.
create table sheets (
    game text not null references games (id),
    turn integer not null,
    seat integer not null,
    sheet text not null,
    primary key (game, turn, seat)
) strict;

create table rulings (
    id integer primary key,
    game text not null references games (id),
    era integer not null,
    turn integer not null,
    phase text not null,
    step integer not null check (step >= 1),
    ruled_at text not null,
    reason text not null,
    voided integer not null default 0 check (voided in (0, 1)),
    unique (game, era, turn, phase, step)
) strict;

create table events (
    game text not null references games (id),
    number integer not null,
    ruling integer not null references rulings (id),
    event text not null,
    primary key (game, number)
) strict, without rowid;

create index events_by_ruling on events (ruling);

-- The state after a ruling, at the end of each turn, so that opening a long game is quick.
create table snapshots (
    ruling integer primary key references rulings (id),
    game text not null references games (id),
    number integer not null,
    state text not null,
    hash text not null
) strict;

create index snapshots_by_game on snapshots (game, number);
