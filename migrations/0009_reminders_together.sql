-- A reminder of several games is one letter; those of the other games refer to it.
create index outbox_told_with on outbox (in_reply_to) where kind = 'reminder' and in_reply_to is not null;
