-- A provider takes only so many letters an hour and a day: when the last ones left, carrier by carrier.
create index outbox_sent on outbox (carrier, sent_at) where sent_at is not null and attempts > 0;
