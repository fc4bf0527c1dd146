import { Migration } from '@mikro-orm/migrations';

/** Features whose unused usage credits roll over, and what of a credit has. */
export class Migration20261227010000 extends Migration {
  override name = 'Migration20261227010000';

  override up(): void {
    this.addSql(`alter table "feature" add "rollover" jsonb null`);
    this.addSql(
      `alter table "feature" add constraint "feature_rollover" check (rollover is null or renewal_frequency = 'every_billing_period')`,
    );
    this.addSql(
      `alter table "usage_credit" add "rollover_periods" int null, add "rollover_limit" numeric null, add "rolled_into" varchar(255) null, add "rolled_over" numeric not null default 0, add "not_rolled_over" numeric not null default 0`,
    );
    this.addSql(
      `alter table "usage_credit" add constraint "usage_credit_rollover" check (rolled_over >= 0 and not_rolled_over >= 0 and not_rolled_over <= expired and rolled_over <= coalesce(rollover_limit, amount)
        and (rolled_into is null and rollover_limit is null or rollover_periods is not null) and rollover_periods >= 0
        and (rolled_into is not null or rolled_over + not_rolled_over = 0))`,
    );
  }
}
