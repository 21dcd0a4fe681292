-- Who has had which seat from when to when, and how often they were there when a cut-off passed: what a person's record is
-- made of. A seat is the civilization's place in its edition. Whoever was forgotten is nobody's.
create table stays (
    id integer primary key autoincrement,
    game text not null,
    seat integer not null,
    person integer references people (id) on delete set null,
    since text not null,
    until text,
    came text not null check (came in ('began', 'took_over')),
    went text check (went in ('replaced', 'finished', 'stopped')),
    in_time integer not null default 0,
    missed integer not null default 0
) strict;

create index stays_by_person on stays (person);
create index stays_by_seat on stays (game, seat);
