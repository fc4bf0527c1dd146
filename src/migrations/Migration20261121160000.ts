import { Migration } from '@mikro-orm/migrations';

/** Adjustments of subscriptions: scheduled ones, those that are paid for, and the credit that they may leave. */
export class Migration20261121160000 extends Migration {
  override up() {
    this.addSql(`alter table "organization" add "proration_credit" text not null default 'none';`);
    this.addSql(`alter table "organization" add constraint "organization_proration_credit_check" check ("proration_credit" in ('none', 'balance'));`);

    this.addSql(`alter table "customer" add "credit_balance" bigint not null default '0';`);
    this.addSql(`alter table "customer" add constraint "customer_credit" check (credit_balance >= 0);`);

    this.addSql(`alter table "subscription" add "scheduled_adjustment" jsonb null, add "adjustment_count" int not null default 0;`);
    this.addSql(`alter table "subscription" add constraint "subscription_adjustment" check (scheduled_adjustment is null or scheduled_adjustment_at is not null);`);

    this.addSql(`alter table "billing_period" add "prepaid" boolean not null default false, add "proration" jsonb null, add "carried_amount" bigint not null default '0', add "carried_with_tax" bigint not null default '0';`);

    this.addSql(`alter table "invoice" add "credit_applied" bigint not null default '0';`);
    this.addSql(`alter table "invoice" add constraint "invoice_credit" check (credit_applied >= 0 and credit_applied <= total);`);

    this.addSql(`alter table "billing_run" drop constraint "billing_run_attempt_unique";`);
    this.addSql(`drop index "billing_run_open_unique";`);
    this.addSql(`alter table "billing_run" add "is_adjustment" boolean not null default false, add "adjustment" jsonb null;`);
    this.addSql(`create unique index "billing_run_adjustment_unique" on "billing_run" ("subscription_id") where "is_adjustment" = true and "status" in ('scheduled', 'started', 'awaiting_payment_confirmation');`);
    this.addSql(`create unique index "billing_run_attempt_unique" on "billing_run" ("billing_period_id", "attempt_number") where "is_adjustment" = false;`);
    this.addSql(`create unique index "billing_run_open_unique" on "billing_run" ("billing_period_id") where "is_adjustment" = false and "status" in ('scheduled', 'started', 'awaiting_payment_confirmation');`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_adjusts" check (is_adjustment = (adjustment is not null));`);
  }
}
