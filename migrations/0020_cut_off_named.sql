-- The cut-off that a letter of ours names: whether it is overtaken is seen from this, and not from its words.
alter table outbox add column cut_off text;
