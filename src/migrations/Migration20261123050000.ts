import { Migration } from '@mikro-orm/migrations';

/** A billing period and a scheduled adjustment have at most 100 items. */
export class Migration20261123050000 extends Migration {
  override name = 'Migration20261123050000';

  override up(): void {
    this.addSql('drop index billing_period_item_period');
    this.addSql(`alter table billing_period_item
      add constraint billing_period_item_period_unique unique (billing_period_id, position),
      add constraint billing_period_item_most check (position >= 0 and position < 100)`);
    this.addSql(`alter table subscription add constraint subscription_adjustment_most
      check (scheduled_adjustment is null or jsonb_array_length(scheduled_adjustment->'items') <= 100)`);
  }
}
