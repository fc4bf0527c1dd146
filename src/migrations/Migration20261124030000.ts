import { Migration } from '@mikro-orm/migrations';
import { samePricingModel, tenantTable } from '#server/database/tenant-table.ts';

const tenantColumns = `id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null`;

/** Purchases and checkout sessions. A session has one purchase, and a purchase one invoice. */
export class Migration20261124030000 extends Migration {
  override name = 'Migration20261124030000';

  override up(): void {
    this.#createPurchases();
    this.#createSessions();
    for (const [table, column, parent, rule] of [
      ['purchase', 'customer_id', 'customer', 'cascade'],
      ['purchase', 'price_id', 'price', 'restrict'],
      ['purchase', 'subscription_id', 'subscription', 'set null'],
      ['checkout_session', 'customer_id', 'customer', 'cascade'],
      ['checkout_session', 'price_id', 'price', 'restrict'],
      ['checkout_session', 'purchase_id', 'purchase', 'cascade'],
      ['checkout_session', 'target_subscription_id', 'subscription', 'cascade'],
      ['checkout_session', 'subscription_id', 'subscription', 'set null'],
      ['checkout_session', 'setup_id', 'payment_method_setup', 'set null'],
    ] as const) {
      this.addSql(`alter table ${table} add constraint ${table}_${column}_foreign
        foreign key (${column}) references ${parent} (id) on delete ${rule}`);
      if (rule !== 'set null') this.addSql(samePricingModel(table, column, parent));
    }
    this.addSql(
      'alter table invoice add constraint invoice_purchase_unique unique (purchase_id)',
    );
    this.addSql(samePricingModel('invoice', 'purchase_id', 'purchase'));
    this.addSql(samePricingModel('payment', 'purchase_id', 'purchase'));
    this.addSql(samePricingModel('discount_redemption', 'purchase_id', 'purchase'));
    this.addSql(samePricingModel('checkout_session', 'discount_id', 'discount'));
  }

  #createPurchases() {
    this.addSql(`create table purchase (
      ${tenantColumns}, name varchar(255) not null, status text not null default 'open',
      customer_id varchar(255) not null, price_id varchar(255) not null, price_type text not null,
      quantity int not null, billing_cycle_anchor timestamptz(3), trial_period_days int,
      price_per_billing_cycle bigint, interval_unit text, interval_count int,
      first_invoice_value bigint not null, total_purchase_value bigint, purchase_date timestamptz(3),
      end_date timestamptz(3), billing_address jsonb, metadata jsonb, subscription_id varchar(255),
      credits_granted_at timestamptz(3),
      primary key (id)
    )`);
    for (const sql of tenantTable('purchase')) this.addSql(sql);
    this.addSql('alter table purchase add constraint purchase_id_tenant unique (id, pricing_model_id)');
    this.addSql(`alter table purchase
      add constraint purchase_status_check check (status in ('open', 'pending', 'failed', 'paid', 'refunded',
        'partial_refund', 'fraudulent')),
      add constraint purchase_price_type_check check (price_type in ('single_payment', 'subscription', 'usage')),
      add constraint purchase_interval_unit_check check (interval_unit in ('day', 'week', 'month', 'year')),
      add constraint purchase_amounts check (quantity > 0 and first_invoice_value >= 0
        and case price_type
          when 'subscription' then total_purchase_value is null and price_per_billing_cycle >= 0
            and interval_unit is not null and interval_count > 0 and trial_period_days >= 0
          else total_purchase_value >= 0 and num_nonnulls(price_per_billing_cycle, interval_unit,
            interval_count, trial_period_days) = 0 end),
      add constraint purchase_paid check (purchase_date is not null
        or status in ('open', 'pending', 'failed', 'fraudulent')),
      add constraint purchase_granted check (credits_granted_at is null or purchase_date is not null)`);
    this.#index('purchase', {
      purchase_page: 'pricing_model_id, created_at, position, id',
      purchase_customer: 'customer_id, created_at, position, id',
      purchase_status: 'pricing_model_id, status, created_at, position, id',
      purchase_price_id_index: 'price_id',
      purchase_subscription_id_index: 'subscription_id',
    });
  }

  #createSessions() {
    this.addSql(`create table checkout_session (
      ${tenantColumns}, type text not null, status text not null default 'open', customer_id varchar(255),
      customer_name varchar(255), customer_email varchar(255), billing_address jsonb, price_id varchar(255),
      quantity int not null default 1, purchase_id varchar(255), payment_method_type text,
      discount_id varchar(255), success_url text, cancel_url text,
      preserve_billing_cycle_anchor boolean not null default false, output_metadata jsonb,
      output_name varchar(255), target_subscription_id varchar(255),
      automatically_update_subscriptions boolean, expires timestamptz(3) not null,
      subscription_id varchar(255), setup_id varchar(255), payment_method_id varchar(255), problem text,
      primary key (id)
    )`);
    for (const sql of tenantTable('checkout_session')) this.addSql(sql);
    this.addSql(`alter table checkout_session
      add constraint checkout_session_type_check check (type in ('product', 'purchase', 'add_payment_method',
        'activate_subscription')),
      add constraint checkout_session_status_check check (status in ('open', 'pending', 'succeeded', 'failed',
        'expired')),
      add constraint checkout_session_payment_method_type_check check (payment_method_type in ('card', 'link',
        'us_bank_account', 'sepa_debit')),
      add constraint checkout_session_purchase_unique unique (purchase_id),
      add constraint checkout_session_setup_unique unique (setup_id),
      add constraint checkout_session_variant check (quantity > 0 and case type
        when 'add_payment_method' then customer_id is not null
        when 'activate_subscription' then customer_id is not null and target_subscription_id is not null
        else price_id is not null and target_subscription_id is null end),
      add constraint checkout_session_customer_known check (customer_id is not null
        or status in ('open', 'failed', 'expired'))`);
    this.#index('checkout_session', {
      checkout_session_page: 'pricing_model_id, created_at, position, id',
      checkout_session_customer: 'customer_id, created_at, position, id',
      checkout_session_status: 'pricing_model_id, status, created_at, position, id',
      checkout_session_price_id_index: 'price_id',
      checkout_session_target_subscription_id_index: 'target_subscription_id',
      checkout_session_subscription_id_index: 'subscription_id',
    });
    this.addSql(
      `create index checkout_session_open on checkout_session (expires) where status = 'open'`,
    );
    this.addSql(
      `create index checkout_session_pending on checkout_session (updated_at) where status = 'pending'`,
    );
  }

  #index(table: string, indexes: Readonly<Record<string, string>>) {
    for (const [name, columns] of Object.entries(indexes)) {
      this.addSql(`create index ${name} on ${table} (${columns})`);
    }
  }
}
