import { Migration } from '@mikro-orm/migrations';

/** Alert rules are applied in leased pages, with pauses after failures. */
export class Migration20261229210000 extends Migration {
  override name = 'Migration20261229210000';

  override up(): void {
    this.addSql(
      `alter table "alert_rule" add "cursor" varchar(255) null, add "pass_began_at" timestamptz(3) null, add "pass_failures" int not null default 0, add "failed_passes" int not null default 0, add "retry_at" timestamptz(3) null, add "lease_holder" varchar(255) null, add "lease_until" timestamptz(3) null`,
    );
    this.addSql(
      `create index "subscription_model_customer" on "subscription" ("pricing_model_id", "customer_id")`,
    );
  }
}
