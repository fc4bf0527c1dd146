import type { Session } from '#domain/kernel/session.ts';
import { relatedChoiceOf } from '#domain/kernel/where.ts';
import { payingStatuses } from './subscription-statuses.ts';

/** Subscriptions whose price, or the price of an item that has not ended, is of one of these products. */
export const ofProduct = relatedChoiceOf<string>(
  (alias, products) =>
    `exists (select from price offered where offered.product_id in ${products} and (offered.id = ${alias}.price_id
      or offered.id in (select item.price_id from subscription_item item
        where item.subscription_id = ${alias}.id and item.expired_at is null)))`,
);

const paying = payingStatuses.map((status) => `'${status}'`).join(', ');

/** The monthly recurring revenue of a subscription as SQL, rounded half up; 0 unless the customer pays. */
export function mrrSql(alias: string, { now }: Session): string {
  const present = `'${now.toISOString()}'::timestamptz`;
  const moment = `coalesce((select clock.frozen_time from test_clock clock where clock.id = ${alias}.test_clock_id), ${present})`;
  return `(case when ${alias}.is_free_plan or ${alias}.do_not_charge or ${alias}."interval" is null
      or ${alias}.status not in (${paying}) or ${alias}.trial_end > ${moment} then 0
    else (select coalesce(round(sum(item.unit_price::numeric * item.quantity)
        * case ${alias}."interval" when 'day' then 2555 when 'week' then 365 when 'month' then 84 else 7 end
        / (84 * ${alias}.interval_count)), 0)
      from subscription_item item where item.subscription_id = ${alias}.id
        and item.added_date <= ${moment} and (item.expired_at is null or item.expired_at > ${moment})) end)`;
}
