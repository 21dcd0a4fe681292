-- What is large stands apart: whoever searches or changes a letter does not read or write its bytes. Of a letter that need
-- not be kept whole the head is left, and how long it was.
create table raws (
    letter integer primary key references letters (id),
    raw blob not null
) strict;

insert into raws (letter, raw) select id, raw from letters;
alter table letters drop column raw;
alter table letters add column size integer not null default 0;
alter table letters add column whole integer not null default 1 check (whole in (0, 1));
update letters set size = (select length(raw) from raws where letter = letters.id);

create table pages (
    dispatch integer primary key references outbox (id),
    body text not null,
    html text,
    data text
) strict;

insert into pages (dispatch, body, html, data) select id, body, html, data from outbox;
alter table outbox add column bulky integer not null default 0 check (bulky in (0, 1));
update outbox set bulky = 1 where picture is not null or html is not null or data is not null;
alter table outbox drop column html;
alter table outbox drop column data;
alter table outbox drop column body;
