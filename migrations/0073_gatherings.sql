-- Games that are open to whoever wants to join, before they begin: the file they are made of, the seed that everybody is
-- shown the seal of, and who has come so far, as JSON.
create table gatherings (
    id text primary key,
    title text not null,
    file text not null,
    seed blob not null check (length(seed) = 32),
    stage text not null check (stage in ('open', 'mustering', 'begun', 'withdrawn')),
    state text not null,
    created_at text not null,
    due_at text
) strict;

-- Who stands in where somebody leaves: in one game, or in any where none is named.
create table standbys (
    person integer not null references people (id) on delete cascade,
    game text not null,
    since text not null,
    primary key (person, game)
) strict;

create index standbys_by_game on standbys (game, since);
