import { Migration } from '@mikro-orm/migrations';

/** A customer has optional kinds of mails off. */
export class Migration20270114010000 extends Migration {
  override name = 'Migration20270114010000';

  override up(): void {
    this.addSql(
      `alter table "customer" add "mails_off" text[] not null default '{}',
      add constraint "customer_mails_off" check (mails_off <@ array['card_expiring', 'alert'])`,
    );
  }
}
