import { Migration } from '@mikro-orm/migrations';

/** Subscriptions can be paused; a paused one keeps the place of the one that a customer may have. */
export class Migration20261201030000 extends Migration {
  override name = 'Migration20261201030000';

  override up(): void {
    this.addSql(
      `alter table subscription add column paused_at timestamptz(3), add column pause_scheduled_at timestamptz(3),
         add column resumes_at timestamptz(3)`,
    );
    this.addSql(
      `alter table subscription add constraint subscription_paused check ((status = 'paused') = (paused_at is not null)
         and num_nonnulls(paused_at, pause_scheduled_at) < 2
         and (resumes_at is null or num_nonnulls(paused_at, pause_scheduled_at) = 1))`,
    );
    this.addSql(`drop index subscription_current_unique`);
    this.addSql(
      `create unique index subscription_current_unique on subscription (customer_id)
         where sole = true and status in ('active', 'past_due', 'trialing', 'cancellation_scheduled', 'unpaid', 'credit_trial', 'paused')`,
    );
  }
}
