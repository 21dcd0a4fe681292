-- Codes that nobody can use any more and answers that were read on the page are let go of with the letters.
create index codes_by_time on codes (asked_at);
create index page_answers_by_time on page_answers (written_at);
