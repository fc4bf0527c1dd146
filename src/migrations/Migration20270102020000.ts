import { Migration } from '@mikro-orm/migrations';

const before = `'invoice', 'receipt', 'payment_failed', 'card_expiring', 'trial_ending', 'renewal_upcoming', 'alert'`;
const kinds = `'invoice', 'receipt', 'payment_failed', 'card_expiring', 'trial_ending', 'renewal_upcoming', 'prepaid_expiring', 'alert'`;

/** Mails warn of the expiry of prepaid credit. */
export class Migration20270102020000 extends Migration {
  override name = 'Migration20270102020000';

  override up(): void {
    for (const table of ['mail', 'mail_template'])
      this.addSql(`alter table "${table}" drop constraint "${table}_kind_check",
        add constraint "${table}_kind_check" check ("kind" in (${kinds}))`);
    // Test mode shows every kind of mails, unless some were switched off.
    this.addSql(`update mail_settings set kinds = array[${kinds}]
      where not livemode and kinds @> array[${before}]`);
  }
}
