import { Migration } from '@mikro-orm/migrations';

/** The links in a text that open something, and what replaces them. */
const links = [
  [
    '(/portal/(open|embed)/|/mail-switch/)[A-Za-z0-9_.-]*[A-Za-z0-9_-]',
    '\\1hidden',
  ],
  [
    '(/documents/[a-z_]+/[A-Za-z0-9_]+[?])expires=[0-9]+&(amp;)?signature=[A-Za-z0-9_-]*',
    '\\1signature=hidden',
  ],
] as const;

const hidden = (column: string) =>
  links.reduce(
    (text, [link, without]) => `regexp_replace(${text}, '${link}', '${without}', 'g')`,
    column,
  );

const hideLinks = `update mail set subject = ${hidden('subject')}, text = ${hidden('text')},
  html = ${hidden('html')}, problem = ${hidden('problem')}, attempts = (${hidden('attempts::text')})::jsonb
  where concat_ws(' ', subject, text, html, problem, attempts::text) ~ '/portal/|/mail-switch/|/documents/'`;

/**
 * Stored mails have no working links: the sender adds them to each attempt. All links of a customer can be ended, and a
 * setting says how long those to its portal are valid.
 */
export class HiddenMailLinks extends Migration {
  override up(): void {
    // Processes write mails meanwhile, so the table is locked after the long statement.
    this.addSql(hideLinks);
    this.addSql(`alter table "mail" add "written_at" timestamptz(3) null`);
    this.addSql(
      `create function hide_mail_links() returns trigger language plpgsql as $$ begin return new; end $$`,
    );
    this.addSql(
      `create trigger links_hidden before insert or update of subject, text, html, problem, attempts on mail
       for each row execute function hide_mail_links()`,
    );
    // Those that were written since it began; `now()` is that instant.
    this.addSql(`${hideLinks} and updated_at > now() - interval '1 hour'`);
    this.addSql(`alter table "customer" add "link_epoch" int not null default 0`);
    this.addSql(
      `alter table "mail_settings" drop constraint "mail_settings_days", add "portal_link_days" int not null default 14`,
    );
    this.addSql(
      `alter table "mail_settings" add constraint "mail_settings_days" check (least(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days, portal_link_days) >= 1 and greatest(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days, portal_link_days) <= 90)`,
    );
  }
}
