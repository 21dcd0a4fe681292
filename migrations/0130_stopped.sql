-- Why a game has ended before its end: withdrawn, abandoned or moved, as JSON. A game that was played to its end has none.
alter table games add column stopped text;
