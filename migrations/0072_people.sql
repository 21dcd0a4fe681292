-- The people of the house, whatever games they play in: what they are called, how they are written to, and where they are
-- known. An address counts as somebody's once they have answered from it.
create table people (
    id integer primary key autoincrement,
    name text not null,
    language text not null,
    zone text not null,
    format text not null check (format in ('html', 'text')),
    since text not null
) strict;

create table reached (
    address text not null,
    carrier text not null,
    person integer not null references people (id) on delete cascade,
    confirmed_at text,
    primary key (address, carrier)
) strict;

create index reached_by_person on reached (person);
