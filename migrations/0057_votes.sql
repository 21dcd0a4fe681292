-- What players have proposed to each other and how they voted, as JSON: a game has few of them.
alter table games add column votes text not null default '[]';
