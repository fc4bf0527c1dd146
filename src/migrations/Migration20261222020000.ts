import { Migration } from '@mikro-orm/migrations';

/** Subscriptions may bill usage within its period, once so much of it is unbilled. */
export class Migration20261222020000 extends Migration {
  override name = 'Migration20261222020000';

  override up(): void {
    this.addSql(`alter table "subscription" add "bill_at" bigint null`);
    this.addSql(
      `alter table "subscription" add constraint "subscription_bill_at" check (bill_at > 0)`,
    );
    this.addSql(`alter table "usage_watch" add "bill_due_at" timestamptz(3) null`);
    this.addSql(
      `create index "usage_watch_bill_due" on "usage_watch" ("bill_due_at", "subscription_id") where "bill_due_at" is not null`,
    );
    this.addSql(`alter table "invoice" drop constraint "invoice_purpose_check"`);
    this.addSql(
      `alter table "invoice" add constraint "invoice_purpose_check" check ("purpose" in ('period', 'adjustment', 'last_usage', 'threshold', 'usage_correction', 'manual'))`,
    );
    this.addSql(`alter table "billing_run" drop constraint "billing_run_purpose_check"`);
    this.addSql(
      `alter table "billing_run" add constraint "billing_run_purpose_check" check ("purpose" in ('period', 'adjustment', 'last_usage', 'threshold'))`,
    );
  }
}
