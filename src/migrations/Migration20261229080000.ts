import { Migration } from '@mikro-orm/migrations';

/** Indexes of the mails that are being transmitted, and of archived customers. */
export class Migration20261229080000 extends Migration {
  override name = 'Migration20261229080000';

  override up(): void {
    this.addSql(
      `create index "mail_transmitted" on "mail" ("claimed_until") where "status" = 'pending' and "handed_over_at" is not null`,
    );
    this.addSql(
      `create index "customer_archived" on "customer" ("pricing_model_id") where "archived" = true`,
    );
  }
}
