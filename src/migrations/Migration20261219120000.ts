import { Migration } from '@mikro-orm/migrations';

/** The ends of trials, yearly charges and expiries of cards are announced, and mails follow. */
export class Migration20261219120000 extends Migration {
  override name = 'Migration20261219120000';

  override up(): void {
    this.addSql(
      `alter table "mail" drop constraint "mail_kind_check"`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_kind_check" check ("kind" in ('invoice', 'receipt', 'payment_failed', 'card_expiring', 'trial_ending', 'renewal_upcoming', 'alert'))`,
    );
    this.addSql(
      `alter table "mail_settings" add "trial_ending_days" int not null default 3, add "renewal_days" int not null default 14, add "card_expiring_days" int not null default 14`,
    );
    this.addSql(
      `alter table "mail_settings" add constraint "mail_settings_days" check (least(trial_ending_days, renewal_days, card_expiring_days) >= 1 and greatest(trial_ending_days, renewal_days, card_expiring_days) <= 90)`,
    );
    this.addSql(
      `alter table "mail_template" drop constraint "mail_template_kind_check"`,
    );
    this.addSql(
      `alter table "mail_template" add constraint "mail_template_kind_check" check ("kind" in ('invoice', 'receipt', 'payment_failed', 'card_expiring', 'trial_ending', 'renewal_upcoming', 'alert'))`,
    );
    this.addSql(
      `alter table "payment_method" add "expires_on" timestamptz(3) null, add "expiry_announced" timestamptz(3) null`,
    );
    this.addSql(
      `create index "payment_method_expiry" on "payment_method" ("expires_on", "id") where "expires_on" is not null and "detached_at" is null`,
    );
    this.addSql(
      `alter table "subscription" add "trial_end_announced" timestamptz(3) null, add "renewal_announced" timestamptz(3) null`,
    );
    this.addSql(
      `create index "subscription_trial_end" on "subscription" ("test_clock_id", "trial_end") where "status" = 'trialing'`,
    );
    this.addSql(
      `create index "subscription_renewal" on "subscription" ("test_clock_id", "current_billing_period_end") where "renews" = true and "interval" in ('year', 'month') and "status" in ('active', 'past_due')`,
    );
    // As `cardExpiry` does for later payment methods.
    this.addSql(`update payment_method set expires_on = (make_date((payment_method_data ->> 'expYear')::int,
        (payment_method_data ->> 'expMonth')::int, 1) + interval '1 month') at time zone 'UTC'
      where payment_method_data ->> 'expYear' ~ '^20[0-9][0-9]$' and payment_method_data ->> 'expMonth' ~ '^([1-9]|1[0-2])$'`);
    // Test mode shows every kind of mails, unless some were switched off.
    this.addSql(`update mail_settings set kinds = array['invoice', 'receipt', 'payment_failed', 'card_expiring',
        'trial_ending', 'renewal_upcoming', 'alert']
      where not livemode and kinds @> array['invoice', 'receipt', 'payment_failed', 'alert']`);
  }
}
