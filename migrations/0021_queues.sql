-- Whose turn a letter waits for: letters of one game are taken up in the sequence of their arrival, and games in turn, so that
-- one that is flooded keeps no other waiting. What proves no game waits in a line of its own.
alter table letters add column queue text not null default '';
