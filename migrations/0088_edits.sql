-- What the moderator has edited and nobody has been told yet, as JSON: it is told in one letter, a little later.
alter table games add column edits text not null default '{}';
