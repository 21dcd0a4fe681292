-- Who reads the public record of a game without playing it: how much of it, and how far they have been told.
create table observers (
    game text not null,
    person integer not null references people (id) on delete cascade,
    level text not null check (level in ('each', 'turns', 'end')),
    since text not null,
    era integer not null,
    turn integer not null,
    phase text not null,
    event integer not null,
    primary key (game, person)
) strict;

create index observers_by_person on observers (person);
