import { Migration } from '@mikro-orm/migrations';

/** Indexes for the lists below objects whose parent has no index yet, each in the order of creation. */
export class Migration20261122160000 extends Migration {
  override name = 'Migration20261122160000';

  override up(): void {
    for (const [name, table, parent] of [
      ['resource_claim_resource', 'resource_claim', 'resource_id'],
      ['payment_subscription', 'payment', 'subscription_id'],
      ['refund_customer', 'refund', 'customer_id'],
      ['usage_credit_customer', 'usage_credit', 'customer_id'],
      ['usage_credit_subscription', 'usage_credit', 'subscription_id'],
    ]) {
      this.addSql(`create index ${name} on ${table} (${parent}, created_at, position, id)`);
    }
  }
}
