import { Migration } from '@mikro-orm/migrations';

/** The columns of a price that never change. */
const terms = [
  ...['type', 'unit_price', 'currency', 'interval_unit', 'interval_count', 'trial_period_days'],
  ...['usage_events_per_unit', 'product_id', 'usage_meter_id', 'model', 'tiers', 'package_size', 'percentage'],
  ...['fixed_fee', 'free_units', 'minimum_amount', 'maximum_amount', 'matrix'],
];
const of = (row: string, columns: readonly string[]) => columns.map((name) => `${row}.${name}`).join(', ');

/** The columns of an item that decide its share of the MRR. */
const valued = ['unit_price', 'quantity', 'priced_amount', 'price_id', 'added_date', 'expired_at'];

/** Prices have models besides the price per unit. Items keep the terms that they were agreed with, lines their steps. */
export class Migration20261215010000 extends Migration {
  override name = 'Migration20261215010000';

  override up(): void {
    this.addSql(`alter table "price" add "model" text not null default 'per_unit', add "tiers" jsonb null, add "package_size" bigint null, add "percentage" numeric null, add "fixed_fee" bigint null, add "free_units" bigint null, add "minimum_amount" bigint null, add "maximum_amount" bigint null, add "matrix" jsonb null`);
    this.addSql(`alter table "price" add constraint "price_model" check (case model
          when 'per_unit' then num_nonnulls(tiers, package_size, percentage, fixed_fee, matrix) = 0
          when 'flat' then num_nonnulls(tiers, package_size, percentage, fixed_fee, matrix) = 0
          when 'package' then package_size is not null and num_nonnulls(tiers, percentage, fixed_fee, matrix) = 0
          when 'percentage' then percentage is not null and type = 'usage' and num_nonnulls(tiers, package_size, matrix) = 0
          when 'matrix' then matrix is not null and type = 'usage'
            and num_nonnulls(tiers, package_size, percentage, fixed_fee, free_units) = 0
          else tiers is not null and num_nonnulls(package_size, percentage, fixed_fee, matrix) = 0 end
        and (type <> 'single_payment' or model = 'per_unit'
          and num_nonnulls(free_units, minimum_amount, maximum_amount) = 0))`);
    this.addSql(`alter table "price" add constraint "price_tiers" check (tiers is null or jsonb_typeof(tiers) = 'array' and jsonb_array_length(tiers) <= 100
        and jsonb_path_exists(tiers, '$[last] ? (@.upTo == null)')
        and not jsonb_path_exists(tiers, '$[*] ? (@.flatFee < 0)'))`);
    this.addSql(`alter table "price" add constraint "price_limits" check ((package_size is null or package_size > 0) and (percentage is null or percentage > 0)
        and (fixed_fee is null or fixed_fee >= 0) and (free_units is null or free_units > 0)
        and (minimum_amount is null or minimum_amount > 0 and unit_price > 0)
        and (maximum_amount is null or maximum_amount > 0)
        and (minimum_amount is null or maximum_amount is null or minimum_amount <= maximum_amount))`);
    this.addSql(`alter table "price" add constraint "price_model_check" check ("model" in ('per_unit', 'flat', 'graduated', 'volume', 'stairstep', 'package', 'percentage', 'matrix'))`);

    this.addSql(`alter table "subscription_item" add "pricing" jsonb null, add "priced_amount" bigint null`);
    this.addSql(`alter table "subscription_item" add constraint "subscription_item_pricing" check ((pricing is null) = (priced_amount is null) and (priced_amount is null or priced_amount >= 0))`);

    this.addSql(`alter table "billing_period_item" add "pricing" jsonb null`);

    this.addSql(`alter table "invoice_line_item" add "price_parts" jsonb null`);
    this.addSql(`drop trigger terms_kept on price`);
    this.addSql(`create trigger terms_kept before update on price for each row
      when ((${of('old', terms)}) is distinct from (${of('new', terms)})) execute function keep_price_terms()`);
    this.addSql(`drop trigger mrr_changed on subscription_item`);
    this.addSql(`create trigger mrr_changed after update on subscription_item for each row
      when ((${of('old', valued)}) is distinct from (${of('new', valued)})) execute function count_mrr()`);
  }
}
