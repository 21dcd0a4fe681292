-- In which era a letter of ours was written: after a rollback the forms of an earlier one are no longer answered by `ok`.
alter table outbox add column era integer not null default 0;
