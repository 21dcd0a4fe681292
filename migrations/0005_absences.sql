-- Who is away; without an end, until he says that he is back.
create table absences (
    id integer primary key,
    game text not null references games (id),
    seat integer not null,
    since text not null,
    until text,
    ended_at text
) strict;

create index absences_open on absences (game, seat) where ended_at is null;
