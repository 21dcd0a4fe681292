-- What the moderator commanded, when it was meant for which phase, and what came of it.
create table moderation (
    id integer primary key,
    game text not null references games (id),
    letter integer references letters (id),
    at text not null,
    by text not null,
    command text not null,
    turn integer not null,
    phase text not null,
    outcome text not null,
    done integer not null check (done in (0, 1))
) strict;

create index moderation_by_game on moderation (game, id);
