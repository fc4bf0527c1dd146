import { Migration } from '@mikro-orm/migrations';
import { samePricingModel, tenantTable } from '#server/database/tenant-table.ts';

const tenantColumns = `id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null`;

const terms = `name varchar(255) not null, code varchar(255) not null, amount_type text not null, amount bigint not null,
  currency varchar(3), duration text not null, number_of_payments bigint`;

/** Discounts, their redemptions, and what billing periods and the lines of invoices keep of them. */
export class Migration20261124020000 extends Migration {
  override name = 'Migration20261124020000';

  override up(): void {
    this.#createDiscounts();
    this.#createRedemptions();
    for (const table of ['discount', 'discount_redemption']) {
      for (const sql of tenantTable(table)) this.addSql(sql);
      this.addSql(`alter table ${table}
        add constraint ${table}_amount_type_check check (amount_type in ('percent', 'fixed')),
        add constraint ${table}_duration_check check (duration in ('once', 'forever', 'number_of_payments'))`);
    }
    this.addSql('alter table discount add constraint discount_id_tenant unique (id, pricing_model_id)');
    this.addSql(samePricingModel('discount_redemption', 'discount_id', 'discount'));
    this.addSql(samePricingModel('discount_redemption', 'customer_id', 'customer'));
    this.addSql(samePricingModel('discount_redemption', 'subscription_id', 'subscription'));
    // The function has a file, and is empty until then.
    this.addSql(
      `create function forget_redemption() returns trigger language plpgsql as 'begin return null; end'`,
    );
    this.addSql(`create trigger redemption_removed after delete on discount_redemption for each row
      execute function forget_redemption()`);
    this.#extendBilling();
  }

  #createDiscounts() {
    this.addSql(`create table discount (
      ${tenantColumns}, ${terms}, active boolean not null default true, redemption_count bigint not null default '0',
      redemption_limit bigint, expires_at timestamptz(3),
      primary key (id)
    )`);
    this.addSql(`alter table discount
      add constraint discount_code_unique unique (pricing_model_id, code),
      add constraint discount_code_form check (code ~ '^[A-Z0-9]{3,20}$'),
      add constraint discount_amount check (amount > 0),
      add constraint discount_currency
        check ((amount_type = 'fixed') = (currency is not null) and currency ~ '^[A-Z]{3}$'),
      add constraint discount_payments check ((duration = 'number_of_payments') = (number_of_payments is not null)
        and number_of_payments > 0),
      add constraint discount_limit check (redemption_count >= 0 and redemption_count <= redemption_limit)`);
    this.addSql(
      'create index discount_page on discount (pricing_model_id, created_at, position, id)',
    );
  }

  #createRedemptions() {
    this.addSql(`create table discount_redemption (
      ${tenantColumns}, discount_id varchar(255) not null, customer_id varchar(255) not null,
      subscription_id varchar(255), purchase_id varchar(255), ${terms}, payment_count bigint not null default '0',
      primary key (id)
    )`);
    this.addSql(`alter table discount_redemption
      add constraint discount_redemption_discount_id_foreign
        foreign key (discount_id) references discount (id) on delete restrict,
      add constraint discount_redemption_customer_id_foreign
        foreign key (customer_id) references customer (id) on delete cascade,
      add constraint discount_redemption_subscription_id_foreign
        foreign key (subscription_id) references subscription (id) on delete cascade,
      add constraint discount_redemption_target check (num_nonnulls(subscription_id, purchase_id) <= 1),
      add constraint discount_redemption_payments check (payment_count >= 0 and case duration
        when 'once' then payment_count <= 1
        when 'number_of_payments' then payment_count <= number_of_payments else true end),
      add constraint discount_redemption_terms check (amount > 0
        and (amount_type = 'fixed') = (currency is not null)
        and (duration = 'number_of_payments') = (number_of_payments is not null))`);
    for (const column of ['subscription', 'purchase']) {
      this.addSql(`create unique index discount_redemption_${column}_unique
        on discount_redemption (${column}_id) where ${column}_id is not null`);
    }
    this.addSql(`create index discount_redemption_page
      on discount_redemption (pricing_model_id, created_at, position, id)`);
    for (const column of ['discount', 'customer']) {
      this.addSql(`create index discount_redemption_${column}
        on discount_redemption (${column}_id, created_at)`);
    }
  }

  #extendBilling() {
    this.addSql('alter table billing_period add column discount jsonb');
    this.addSql(`alter table invoice_line_item add column discount_base bigint,
      add column discount_redemption_id varchar(255)`);
    this.addSql(`alter table invoice_line_item drop constraint invoice_line_item_type_check,
      add constraint invoice_line_item_type_check check (type in ('static', 'usage', 'discount')),
      drop constraint invoice_line_item_range,
      add constraint invoice_line_item_range check (case type when 'discount' then quantity = 1
        when 'usage' then price >= 0 else price >= 0 and quantity >= 0 and amount >= 0 end),
      add constraint invoice_line_item_discount
        check ((type = 'discount') = (discount_redemption_id is not null)
          and (type = 'discount' or discount_base is null))`);
  }
}
