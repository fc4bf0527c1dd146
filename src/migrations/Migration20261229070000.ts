import { Migration } from '@mikro-orm/migrations';
import { tenantReference } from '#server/database/tenant-table.ts';

/**
 * The billing period of a one-off charge after the trial of an item. A pause of the billing makes the end of such a
 * trial wait.
 */
export class Migration20261229070000 extends Migration {
  override name = 'Migration20261229070000';

  override up(): void {
    this.addSql(
      `alter table "one_off_charge" add "billing_period_id" varchar(255) null, add "trial_rest" jsonb null`,
    );
    this.addSql(
      `create index "one_off_charge_billing_period_id_index" on "one_off_charge" ("billing_period_id")`,
    );
    this.addSql(
      `alter table "one_off_charge" add constraint "one_off_charge_billing_period_id_foreign" foreign key ("billing_period_id") references "billing_period" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "one_off_charge" add constraint "one_off_charge_rest" check ((billing_period_id is null) = (trial_rest is null))`,
    );
    this.addSql(
      tenantReference('one_off_charge', 'billing_period_id', 'billing_period', 'cascade'),
    );
    this.addSql(
      `update "subscription" set transition_due_at = least(current_billing_period_end, resumes_at)
       where status = 'paused' and pause_billing <> 'keeps' and transition_due_at = item_trial_end_at`,
    );
  }
}
