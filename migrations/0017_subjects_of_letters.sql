-- What a letter of ours is about, in our own words. Its id is a sealed form of them, for whoever reads it must not learn from
-- it what others do. Letters of the first edition had the words themselves as their id.
alter table outbox add column about text;

create index outbox_by_about on outbox (coalesce(about, substr(message_id, 1, instr(message_id, '@') - 1)));
