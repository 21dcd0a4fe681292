-- Where a letter of ours stands in a forum, so that a post there is known to answer it.
alter table outbox add column in_thread text;
alter table outbox add column post text;

create index outbox_by_thread on outbox (carrier, in_thread, post) where in_thread is not null;
