-- Threads of forums: the public one of a game, which is seat -2, and the private one with a seat. A thread that is still to be
-- opened has no id. The public one begins with a status post that is edited in place.
create table threads (
    game text not null references games (id),
    seat integer not null,
    carrier text not null,
    thread text,
    status_post text,
    status text,
    statuses integer not null default 0,
    primary key (game, seat, carrier)
) strict;

create index threads_by_thread on threads (carrier, thread) where thread is not null;
