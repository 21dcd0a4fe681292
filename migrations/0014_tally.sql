-- How many letters there are of each kind, counted as they come: nobody has to count all of them again.
create table tally (
    what text not null check (what in ('letters', 'outbox')),
    game text not null,
    status text not null,
    number integer not null,
    primary key (what, game, status)
) strict, without rowid;

insert into tally select 'letters', coalesce(game, ''), status, count(*) from letters group by 2, 3;
insert into tally select 'outbox', coalesce(game, ''), status, count(*) from outbox group by 2, 3;

create trigger letters_counted after insert on letters begin
    insert into tally values ('letters', coalesce(new.game, ''), new.status, 1)
        on conflict (what, game, status) do update set number = number + 1;
end;

create trigger letters_counted_again after update of status, game on letters begin
    update tally set number = number - 1
        where what = 'letters' and game = coalesce(old.game, '') and status = old.status;
    insert into tally values ('letters', coalesce(new.game, ''), new.status, 1)
        on conflict (what, game, status) do update set number = number + 1;
end;

create trigger outbox_counted after insert on outbox begin
    insert into tally values ('outbox', coalesce(new.game, ''), new.status, 1)
        on conflict (what, game, status) do update set number = number + 1;
end;

create trigger outbox_counted_again after update of status, game on outbox begin
    update tally set number = number - 1
        where what = 'outbox' and game = coalesce(old.game, '') and status = old.status;
    insert into tally values ('outbox', coalesce(new.game, ''), new.status, 1)
        on conflict (what, game, status) do update set number = number + 1;
end;
