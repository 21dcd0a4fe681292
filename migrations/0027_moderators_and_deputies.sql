-- Who answers for a player while he is away, by name, and in which language. Older ones are known by their addresses alone.
alter table seats add column deputy text;
alter table seats add column deputy_language text;

-- Whether a command was shown, and waits for an `ok`, and was not refused. It was not noted before.
alter table moderation add column shown integer check (shown in (0, 1));

-- What players wrote to each other. Whoever takes a seat over may be told what was promised, where the group allows it.
create table messages (
    game text not null references games (id),
    sender integer not null,
    sent_at text not null,
    -- The seats it went to, separated by spaces; empty where it went to everybody.
    readers text not null,
    words text not null
) strict;

create index messages_by_game on messages (game, sent_at);
