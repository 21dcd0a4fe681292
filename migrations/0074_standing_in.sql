-- Who has missed how many cut-offs in a row, whose seat a built-in player keeps, and who was asked to take one over, as JSON.
alter table games add column club text not null default '{}';
