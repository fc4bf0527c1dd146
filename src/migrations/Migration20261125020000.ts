import { Migration } from '@mikro-orm/migrations';
import { samePricingModel } from '#server/database/tenant-table.ts';

/**
 * The features of a product that is bought once are an item of their own for each purchase, and its usage credits name
 * the purchase. So a full refund revokes exactly these. Abandoned checkout sessions are found by their age, and a
 * redemption whose order was never paid is released.
 */
export class Migration20261125020000 extends Migration {
  override name = 'Migration20261125020000';

  override up(): void {
    this.addSql('alter table purchase add column revoked_at timestamptz(3) null');
    for (const table of ['subscription_item', 'usage_credit']) {
      this.addSql(`alter table ${table} add column purchase_id varchar(255) null`);
      this.addSql(samePricingModel(table, 'purchase_id', 'purchase'));
    }
    this.addSql('drop index subscription_item_manual_unique');
    this.addSql(`create unique index subscription_item_manual_unique on subscription_item (subscription_id)
      where manually_created = true and price_id is null and purchase_id is null and expired_at is null`);
    this.addSql(`create unique index subscription_item_purchase_unique on subscription_item (purchase_id, subscription_id)
      where purchase_id is not null and expired_at is null`);
    this.addSql(`alter table subscription_item add constraint subscription_item_purchased
      check (purchase_id is null or manually_created and price_id is null and unit_price = 0)`);
    this.addSql(
      'create index usage_credit_purchase on usage_credit (purchase_id) where purchase_id is not null',
    );
    this.addSql(`create index checkout_session_abandoned on checkout_session (created_at)
      where status in ('failed', 'expired')`);
    this.addSql('alter table discount_redemption add column released_at timestamptz(3) null');
    this.addSql(`create trigger redemption_released after update of released_at on discount_redemption for each row
      when (old.released_at is null and new.released_at is not null) execute function forget_redemption()`);
    this.addSql(`update usage_credit set purchase_id = purchase.id from purchase
      where usage_credit.source = 'manual' and usage_credit.reason = 'Purchase ' || purchase.id
        and usage_credit.customer_id = purchase.customer_id`);
  }
}
