-- Whose words a message is made of, so that a reply goes to its writer. Messages of the first edition name the letter they came with.
alter table outbox add column writer integer;

update outbox set writer = (
    select seat from letters
    where letters.game = outbox.game
    and letters.id = cast(substr(coalesce(about, message_id), instr(coalesce(about, message_id), '.letter-') + 8) as integer)
) where kind = 'press' and instr(coalesce(about, message_id), '.letter-') > 0;
