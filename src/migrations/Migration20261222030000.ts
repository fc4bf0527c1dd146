import { Migration } from '@mikro-orm/migrations';

/** A pause may keep the billing or the features, and customers may be permitted to pause. */
export class Migration20261222030000 extends Migration {
  override name = 'Migration20261222030000';

  override up(): void {
    this.addSql(
      `alter table "subscription" add "pause_billing" text null, add "pause_entitlements" text null`,
    );
    this.addSql(
      `alter table "organization_settings" add "customers_may_pause" boolean not null default false`,
    );
    this.addSql(
      `update subscription set pause_billing = 'nothing', pause_entitlements = 'off'
         where num_nonnulls(paused_at, pause_scheduled_at) = 1`,
    );
    this.addSql(
      `alter table "subscription" add constraint "subscription_pause_billing_check" check ("pause_billing" in ('nothing', 'keeps')),
         add constraint "subscription_pause_entitlements_check" check ("pause_entitlements" in ('off', 'on'))`,
    );
    this.addSql(`alter table "subscription" drop constraint "subscription_paused"`);
    this.addSql(
      `alter table "subscription" add constraint "subscription_paused" check ((status = 'paused') = (paused_at is not null) and num_nonnulls(paused_at, pause_scheduled_at) < 2
        and (resumes_at is null or num_nonnulls(paused_at, pause_scheduled_at) = 1)
        and num_nonnulls(pause_billing, pause_entitlements) = 2 * num_nonnulls(paused_at, pause_scheduled_at)
        and not (pause_billing = 'keeps' and pause_entitlements = 'on'))`,
    );
  }
}
