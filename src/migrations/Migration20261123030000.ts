import { Migration } from '@mikro-orm/migrations';

/**
 * Billed usage states its amount, so that a correction credits the difference between the present cost of a period and
 * what was billed for it. The rounded amount of an existing line is spread over its periods such that they add up to
 * it. Periods of imported subscriptions may be paid elsewhere.
 */
export class Migration20261123030000 extends Migration {
  override name = 'Migration20261123030000';

  override up(): void {
    this.addSql('alter table owed_usage add column amount bigint');
    this.addSql(`with part as (
        select o.id, line.price, line.usage_events_per_unit as per_unit, o.quantity,
          sum(o.quantity) over (partition by line.id order by o.created_at, o.id) as up_to
        from owed_usage o join invoice_line_item line on line.id = o.invoice_line_item_id)
      update owed_usage o
        set amount = round(p.up_to * p.price / p.per_unit) - round((p.up_to - p.quantity) * p.price / p.per_unit)
      from part p where p.id = o.id`);
    this.addSql(`alter table owed_usage add constraint owed_usage_amount
      check ((amount is null) = (invoice_line_item_id is null))`);
    // The usage and the amount of a line with several periods may have different signs: each period is rounded.
    this.addSql(`alter table invoice_line_item drop constraint invoice_line_item_range,
      add constraint invoice_line_item_range
        check (price >= 0 and (type = 'usage' or quantity >= 0 and amount >= 0))`);
    this.addSql('alter table subscription add column paid_until timestamptz(3)');
    this.addSql(`alter table subscription add constraint subscription_paid_until check (paid_until is null
      or renews and not do_not_charge and trial_end is null and paid_until > start_date)`);
    this.addSql('alter table billing_period add column paid_elsewhere_amount bigint');
  }
}
