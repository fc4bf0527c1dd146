import { raw } from '@mikro-orm/core';

/** Features that an active product grants at an instant, given as the parameter. */
const grantedFeatures = `select f.id from feature f
  join product_feature g on g.feature_id = f.id and (g.expired_at is null or g.expired_at > ?)
  join product p on p.id = g.product_id and p.active
  where f.active`;

/** Meters of offers on sale: of prices that are not free, or of credits of active products. */
const soldMeters = `select c.usage_meter_id from price c where c.active and c.unit_price > 0 and c.usage_meter_id is not null
  union select f.usage_meter_id from feature f where f.id in (${grantedFeatures})`;

/** The same as SQL, by the kind of record. Each `?` represents the instant. */
export const publishedSql: Readonly<Record<string, (row: string) => string>> = {
  Product: (row) => `${row}.active`,
  Price: (row) => `${row}.active and (${row}.product_id in (select id from product where active)
    or ${row}.usage_meter_id in (${soldMeters}))`,
  ProductFeature: (row) => `${row}.feature_id in (select id from feature where active)
    and ${row}.product_id in (select id from product where active)
    and (${row}.expired_at is null or ${row}.expired_at > ?)`,
  Feature: (row) => `${row}.id in (${grantedFeatures})`,
  UsageMeter: (row) => `${row}.id in (${soldMeters})`,
  Resource: (row) => `${row}.active and ${row}.id in
    (select f.resource_id from feature f where f.id in (${grantedFeatures}))`,
};

/**
 * The condition on the records of a kind that a publishable key may see: the catalog on sale at this instant. That is
 * active products and prices, and their features, meters and resources. Other kinds have no condition: their fields
 * require a secret key.
 */
export function published(entityName: string | undefined, now: Date): object {
  const condition = publishedSql[entityName ?? ''];
  if (!condition) return {};
  const instants = condition('')
    .split('?')
    .slice(1)
    .map(() => now);
  return { [raw((alias) => condition(`"${alias}"`), instants)]: [] };
}
