-- Which archive this is, in all of its copies, and how often a copy took its place: the epoch is part of every new id.
insert into keeping (name, value) values ('identity', randomblob(16)) on conflict (name) do nothing;
insert into keeping (name, value) values ('epoch', cast('0' as blob)) on conflict (name) do nothing;
