import {
  type ConditionOf,
  type Range,
  relatedChoiceOf,
  sqlCondition,
} from '#domain/kernel/lists/where.ts';

/** Subscriptions whose price, or the price of an item that has not ended, is of one of these products. */
export const ofProduct = relatedChoiceOf<string>(
  (alias, products) =>
    `exists (select from price offered where offered.product_id in ${products} and (offered.id = ${alias}.price_id
      or offered.id in (select item.price_id from subscription_item item
        where item.subscription_id = ${alias}.id and item.expired_at is null)))`,
);

/** The present of a subscription as SQL, by the clock of its customer. */
export const presentSql = (alias: string, present: string) =>
  `coalesce((select clock.frozen_time from test_clock clock where clock.id = ${alias}.test_clock_id), ${present})`;

/** The monthly recurring revenue of a subscription at an instant as SQL, from its changes, in minor units. */
export const mrrAtSql = (alias: string, moment: string) =>
  `(select coalesce(round(round(sum(amount_after), 6)), 0)::bigint from (
      select distinct on (change.product_id) change.amount_after from mrr_change change
      where change.subscription_id = ${alias}.id and change.at <= ${moment}
      order by change.product_id, change.at desc) levels)`;

/**
 * Subscriptions with a monthly recurring revenue within limits. The stored one serves all but those whose items have
 * begun or ended by their dates since it was stored. These are few, and `is not null` shows it to the planner.
 */
export const withMrr: ConditionOf<Range<number>> = ({ min, max }, _path, { now }) => {
  const limits = [
    ...(min == null ? [] : [{ comparison: '>=', limit: min }]),
    ...(max == null ? [] : [{ comparison: '<=', limit: max }]),
  ];
  if (limits.length === 0) return {};
  const within = (value: string) =>
    limits.map(({ comparison }) => `${value} ${comparison} ?::bigint`).join(' and ');
  const values = limits.map(({ limit }) => limit);
  return sqlCondition(
    (alias) => {
      const moment = presentSql(alias, '?::timestamptz');
      return `(${within(`${alias}.mrr`)} and (${alias}.mrr_changes_at is null or ${alias}.mrr_changes_at > ${moment})
        or ${alias}.mrr_changes_at is not null and ${alias}.mrr_changes_at <= ${moment} and ${within(mrrAtSql(alias, moment))})`;
    },
    [...values, now, now, ...limits.flatMap(({ limit }) => [now, limit])],
  );
};
