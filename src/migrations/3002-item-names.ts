import { Migration } from '@mikro-orm/migrations';

const bare = (name: string) => `regexp_replace(${name}, ' x [0-9]+$', '')`;

/** Whether a name is the derived one, which ended with the first quantity; a long name was cut before that. */
const isDerived = (name: string, price: string) => `${name} ~ ' x [0-9]+$'
  and exists (select from price p left join product d on d.id = p.product_id where p.id = ${price} and (
    ${bare(name)} = coalesce(p.name, d.name)
    or ${name} ~ '… x [0-9]+$' and starts_with(coalesce(p.name, d.name), rtrim(${bare(name)}, '…'))))`;

/** Names of items have no quantity, which is a column of its own and changes. Invoices stay as they were sent. */
export class ItemNames extends Migration {
  override up(): void {
    const mend = (table: string, where = 'true') =>
      this.addSql(
        `update ${table} o set name = ${bare('o.name')} where ${where} and ${isDerived('o.name', 'o.price_id')}`,
      );
    mend('subscription', 'canceled_at is null');
    mend(
      'billing_period_item',
      `exists (select from billing_period b where b.id = o.billing_period_id and b.status not in ('completed', 'canceled'))`,
    );
    mend('subscription_item');
  }
}
