-- Returns a text in which links to the portal, to switches of mails and to documents open nothing: `hidden` replaces what
-- is signed in them. A link that a limit of length has cut is hidden, too.
create or replace function hide_links(content text)
returns text
language sql immutable as $$
  select regexp_replace(regexp_replace(content,
    '(/portal/(open|embed)/|/mail-switch/)[A-Za-z0-9_.-]*[A-Za-z0-9_-]', '\1hidden', 'g'),
    '(/documents/[a-z_]+/[A-Za-z0-9_]+[?])expires=[0-9]+&(amp;)?signature=[A-Za-z0-9_-]*', '\1signature=hidden', 'g')
$$;
