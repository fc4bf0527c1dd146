import { Migration } from '@mikro-orm/migrations';

/** Lines by hand have fractional quantities, and prices below 0 for credits and discounts. */
export class Migration20261124010000 extends Migration {
  override name = 'Migration20261124010000';

  override up(): void {
    this.addSql(`alter table invoice_line_item drop constraint invoice_line_item_range,
      drop constraint invoice_line_item_amount,
      add constraint invoice_line_item_range check (case type when 'usage' then price >= 0 else scale(quantity) <= 9 end),
      add constraint invoice_line_item_amount
        check (case type when 'usage' then num_nulls(balance_id, usage_quantity, usage_events_per_unit) = 0
          else amount = round(price * quantity) end)`);
  }
}
