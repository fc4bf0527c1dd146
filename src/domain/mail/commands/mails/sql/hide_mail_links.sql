-- Hides the links in the texts of a mail before they are stored: a row of this table gives its reader no access. Texts
-- contain links also by templates, by names, and in the answers of mail servers, which quote what they refuse.
create or replace function hide_mail_links()
returns trigger
language plpgsql as $$
begin
  new.subject := hide_links(new.subject);
  new.text := hide_links(new.text);
  new.html := hide_links(new.html);
  new.problem := hide_links(new.problem);
  new.attempts := hide_links(new.attempts::text)::jsonb;
  return new;
end $$;
