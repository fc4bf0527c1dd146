-- Stored mails have no working links: the sender adds them to each attempt. All links of a customer can be ended, and a
-- setting says how long those to its portal are valid.
create function hidden_in(content text) returns text language sql immutable as $$
  select regexp_replace(
    regexp_replace(content, '(/portal/(open|embed)/|/mail-switch/)[A-Za-z0-9_.-]*[A-Za-z0-9_-]', '\1hidden', 'g'),
    '(/documents/[a-z_]+/[A-Za-z0-9_]+[?])expires=[0-9]+&(amp;)?signature=[A-Za-z0-9_-]*', '\1signature=hidden', 'g')
$$;

-- Processes write mails meanwhile, so the table is locked after the long statement.
update mail set subject = hidden_in(subject), text = hidden_in(text), html = hidden_in(html),
  problem = hidden_in(problem), attempts = hidden_in(attempts::text)::jsonb
  where concat_ws(' ', subject, text, html, problem, attempts::text) ~ '/portal/|/mail-switch/|/documents/';

alter table mail add written_at timestamptz(3) null;

create function hide_mail_links() returns trigger language plpgsql as $$ begin return new; end $$;

create trigger links_hidden before insert or update of subject, text, html, problem, attempts on mail
  for each row execute function hide_mail_links();

-- Those that were written since it began; `now()` is that instant.
update mail set subject = hidden_in(subject), text = hidden_in(text), html = hidden_in(html),
  problem = hidden_in(problem), attempts = hidden_in(attempts::text)::jsonb
  where concat_ws(' ', subject, text, html, problem, attempts::text) ~ '/portal/|/mail-switch/|/documents/'
    and updated_at > now() - interval '1 hour';

drop function hidden_in;

alter table customer add link_epoch int not null default 0;

alter table mail_settings drop constraint mail_settings_days, add portal_link_days int not null default 14;

alter table mail_settings add constraint mail_settings_days check (
  least(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days, portal_link_days) >= 1
  and greatest(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days, portal_link_days) <= 90);
