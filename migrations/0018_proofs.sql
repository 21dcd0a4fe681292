-- Whether the sender of a letter was proved, so that nobody can use up another's share; and whether the moderator has handed
-- a letter back that was set aside.
alter table letters add column proof text check (proof in ('proved', 'unproved', 'machine'));
alter table letters add column released integer not null default 0 check (released in (0, 1));

create index letters_aside on letters (game, id) where status = 'aside';
