-- The answers that a letter of ours offers: a line that its reader may send by itself, from an address of its own that admits
-- this line alone, once; and what a proposal files, so that it is what was shown.
create table offered (
    game text not null references games (id),
    message_id text not null,
    line text not null,
    -- The lines that are filed with it, one below another, where it only names them.
    files text,
    -- None where the letter went into a forum.
    secret text unique,
    used_at text,
    primary key (message_id, line)
) strict, without rowid;

create index offered_by_game on offered (game);
