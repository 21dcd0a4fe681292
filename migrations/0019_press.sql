-- How many messages a seat has sent, and when: what one player may send in a day is bounded.
create table press (
    game text not null references games (id),
    seat integer not null,
    sent_at text not null,
    messages integer not null
) strict;

create index press_by_seat on press (game, seat, sent_at);
