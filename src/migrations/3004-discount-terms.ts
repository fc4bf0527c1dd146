import { Migration } from '@mikro-orm/migrations';

/**
 * Discounts have parts of a percent, months, hyphens in codes, and a limit for each customer. A subscription has one
 * after another.
 */
export class DiscountTerms extends Migration {
  override up(): void {
    const replaceCheck = (table: string, name: string, condition: string) =>
      this.addSql(
        `alter table "${table}" drop constraint if exists "${name}", add constraint "${name}" check (${condition})`,
      );
    const durations = `duration in ('once', 'forever', 'number_of_payments', 'number_of_months')`;
    this.addSql(`alter table "discount" alter column "amount" type numeric(20,4),
      add "number_of_months" bigint null, add "redemption_limit_per_customer" bigint null`);
    replaceCheck('discount', 'discount_code_form', `code ~ '^[A-Z0-9_-]{2,64}$'`);
    replaceCheck(
      'discount',
      'discount_amount',
      `amount > 0 and (amount_type = 'percent' or amount = trunc(amount))`,
    );
    replaceCheck('discount', 'discount_duration_check', durations);
    replaceCheck(
      'discount',
      'discount_months',
      `(duration = 'number_of_months') = (number_of_months is not null) and number_of_months > 0`,
    );
    replaceCheck('discount', 'discount_customer_limit', 'redemption_limit_per_customer > 0');

    this.addSql(`alter table "discount_redemption" alter column "amount" type numeric(20,4),
      add "number_of_months" bigint null, add "ends_at" timestamptz(3) null,
      add "reduces_after" timestamptz(3) null, add "removed_at" timestamptz(3) null,
      add "customer_place" bigint null, add "customer_limit" bigint null`);
    this.addSql(`update discount_redemption r set customer_place = p.place from (
      select id, row_number() over (
        partition by discount_id, customer_id, released_at is null order by created_at, position, id
      ) as place from discount_redemption) p where p.id = r.id`);
    this.addSql(`alter table "discount_redemption" alter column "customer_place" set not null`);
    replaceCheck('discount_redemption', 'discount_redemption_duration_check', durations);
    replaceCheck(
      'discount_redemption',
      'discount_redemption_terms',
      `amount > 0 and (amount_type = 'fixed') = (currency is not null)
        and (amount_type = 'percent' or amount = trunc(amount))
        and (duration = 'number_of_payments') = (number_of_payments is not null)
        and (duration = 'number_of_months') = (number_of_months is not null and ends_at is not null)`,
    );
    replaceCheck(
      'discount_redemption',
      'discount_redemption_customer_limit',
      'customer_place > 0 and customer_place <= customer_limit',
    );
    this.addSql(`drop index "discount_redemption_subscription_unique"`);
    this.addSql(`create unique index "discount_redemption_subscription_unique"
      on "discount_redemption" ("subscription_id") where "subscription_id" is not null and "removed_at" is null`);
    this.addSql(`create unique index "discount_redemption_place_unique"
      on "discount_redemption" ("discount_id", "customer_id", "customer_place") where "released_at" is null`);
  }
}
