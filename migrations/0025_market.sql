-- The answer to a letter leaves before the news that it causes: the id of the letter of ours that goes first.
alter table outbox add column behind text;
