import { Migration } from '@mikro-orm/migrations';

/** A customer has one trial of what costs something; trials of what costs nothing do not count. */
export class Migration20261122050100 extends Migration {
  override up() {
    this.addSql(`drop index "subscription_trial_unique"`);
    this.addSql(
      `create unique index "subscription_trial_unique" on "subscription" ("customer_id") where trial_end is not null and is_free_plan = false and do_not_charge = false`,
    );
  }
}
