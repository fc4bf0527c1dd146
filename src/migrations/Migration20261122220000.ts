import { Migration } from '@mikro-orm/migrations';

/** Rows that have the currency of another row, so that no amount is counted in another currency. */
const agreeing = [
  ['invoice', 'customer_id', 'customer'],
  ['invoice', 'subscription_id', 'subscription'],
  ['payment', 'invoice_id', 'invoice'],
  ['refund', 'payment_id', 'payment'],
  ['mrr_change', 'subscription_id', 'subscription'],
] as const;

/** The orders by amount, each within one currency. */
const orders = {
  customer_owed: ['customer', 'amount_owed'],
  invoice_total: ['invoice', 'total'],
  payment_amount: ['payment', 'amount'],
  refund_amount: ['refund', 'amount'],
} as const;

/** The currency of each customer, subscription and refund; a default price of a usage meter for each currency. */
export class Migration20261122220000 extends Migration {
  override name = 'Migration20261122220000';

  override up(): void {
    this.#addColumns();
    for (const table of ['customer', 'subscription', 'invoice', 'payment']) {
      this.addSql(
        `alter table ${table} add constraint ${table}_currency_unique unique (id, currency)`,
      );
    }
    for (const [table, column, parent] of agreeing) {
      // A customer and its first invoice get their currency in one transaction.
      this.addSql(`alter table ${table} add constraint ${table}_${parent}_currency
        foreign key (${column}, currency) references ${parent} (id, currency)
        deferrable initially deferred`);
    }
    for (const [name, [table, amount]] of Object.entries(orders)) {
      this.addSql(`drop index ${name}`);
      this.addSql(
        `create index ${name} on ${table} (pricing_model_id, (coalesce(currency, '')), ${amount}, position, id)`,
      );
    }
    this.addSql('drop index price_usage_meter_default_unique');
    this.addSql(`create unique index price_usage_meter_default_unique on price (usage_meter_id, currency)
      where is_default = true`);
    this.addSql(
      `create function keep_item_currency() returns trigger language plpgsql as 'begin return new; end'`,
    );
    this.addSql(`create trigger currency_kept before insert or update of price_id on subscription_item
      for each row when (new.price_id is not null) execute function keep_item_currency()`);
  }

  #addColumns() {
    this.addSql(`alter table organization alter column currency drop default,
      add constraint organization_currency check (currency ~ '^[A-Z]{3}$')`);
    this.addSql(`alter table price add constraint price_currency check (currency ~ '^[A-Z]{3}$')`);
    this.addSql('alter table customer add column currency varchar(3)');
    this.addSql(`update customer set currency = billed.currency
      from (select customer_id, min(currency) as currency from invoice group by 1) billed
      where billed.customer_id = customer.id`);
    this.addSql(`update customer set currency = organization.currency from organization
      where organization.id = organization_id and customer.currency is null and credit_balance > 0`);
    this.addSql(`alter table customer add constraint customer_credit_currency
      check (credit_balance = 0 or currency is not null)`);
    this.addSql('alter table subscription add column currency varchar(3)');
    this.addSql(`update subscription set currency = price.currency from price where price.id = price_id`);
    this.addSql('alter table subscription alter column currency set not null');
    this.addSql('alter table refund add column currency varchar(3)');
    this.addSql(`update refund set currency = payment.currency from payment where payment.id = payment_id`);
    this.addSql('alter table refund alter column currency set not null');
  }
}
