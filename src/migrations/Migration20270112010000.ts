import { Migration } from '@mikro-orm/migrations';

/** Customers may buy prepaid credit themselves, within the offers of their organization. */
export class Migration20270112010000 extends Migration {
  override name = 'Migration20270112010000';

  override up(): void {
    this.addSql(
      `alter table "organization_settings" add "customers_may_buy_credit" boolean not null default false, add "prepaid_offers" jsonb not null default '[]'`,
    );
    this.addSql(
      `alter table "organization_settings" add constraint "organization_settings_prepaid_offers" check (jsonb_typeof(prepaid_offers) = 'array' and (not customers_may_buy_credit or jsonb_array_length(prepaid_offers) > 0))`,
    );
    this.addSql(
      `alter table "prepaid_credit" add "bought_by_customer" boolean not null default false`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_buyer" check (not bought_by_customer or source = 'purchase')`,
    );
  }
}
