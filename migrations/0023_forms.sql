-- In which form a letter came, which says how it is opened: once only the name of its carrier told, and the settings of that
-- carrier. A carrier that has a thread, or somebody's address in a forum, is a forum's.
alter table letters add column form text not null default 'mail' check (form in ('mail', 'post', 'door', 'web'));

update letters set form = 'post' where carrier in
    (select carrier from threads
     union select carrier from addresses where address like 'user:%' or address like 'name:%');
update letters set form = 'door' where carrier = 'door';
