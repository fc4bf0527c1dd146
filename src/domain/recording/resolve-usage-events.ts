import type { Issue } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Rate } from '#domain/metering/ledger/ledger.ts';
import type { PriceMatrix } from '#domain/model/catalog/pricing.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { identifiers, type UsageEventInput } from './usage-event-input.ts';

interface Price {
  readonly id: string;
  readonly slug: string | null;
  readonly type: string;
  readonly active: boolean;
  readonly usageMeterId: string | null;
  readonly isDefault: boolean;
  readonly unitPrice: number;
  readonly currency: string;
  readonly perUnit: number | null;
  readonly matrix: PriceMatrix | null;
}

interface Meter {
  readonly id: string;
  readonly slug: string;
  readonly aggregationType: (typeof aggregationTypes)[number];
}

interface Subscription {
  readonly id: string;
  readonly currency: string;
  readonly customerId: string;
  readonly customerExternalId: string;
  readonly testClockId: string | null;
  readonly archived: boolean;
  readonly hasPeriods: boolean;
  /** Whether a boundary of its periods must be crossed before usage is recorded. */
  readonly isDue: boolean;
}

/** The objects that the events of some calls name, read at once. */
export interface References {
  readonly prices: readonly Price[];
  readonly meters: readonly Meter[];
  readonly subscriptions: ReadonlyMap<string, Subscription>;
}

/** An event with its resolved names. */
export interface ResolvedEvent {
  readonly input: UsageEventInput;
  readonly subscription: Subscription;
  readonly meter: Meter;
  readonly priceId: string;
  /** The rate at that price. */
  readonly rate: UnitRate;
  /** The matrix of that price; null for other models. */
  readonly matrix: PriceMatrix | null;
}

type UnitRate = Pick<Rate, 'unitPrice' | 'perUnit'>;

const given = (events: readonly UsageEventInput[], name: keyof UsageEventInput) => [
  ...new Set(events.flatMap((event) => (event[name] as string | null | undefined) ?? [])),
];

interface Rows {
  readonly prices: Price[];
  readonly meters: Meter[];
  readonly subscriptions: Subscription[];
}

/**
 * Reads all objects that the events name in the session's pricing model, in one statement. Its selects hide the values
 * from the planner, which would otherwise plan it for each of them.
 */
export async function readReferences(
  { em, now, pricingModelId }: Session,
  events: readonly UsageEventInput[],
): Promise<References> {
  const [found] = await statement<Rows>(
    em,
    'usage references',
    `with named as (
       select id, slug, aggregation_type as "aggregationType" from usage_meter
       where pricing_model_id = (select $1::text) and (id = any($2::text[]) or slug = any($3::text[]))),
     prices as (
       select id, slug, type, active, usage_meter_id as "usageMeterId", is_default as "isDefault",
          unit_price as "unitPrice", currency, usage_events_per_unit as "perUnit", matrix from price
        where pricing_model_id = (select $1::text) and (id = any($4::text[]) or (active and slug = any($5::text[]))
         or (is_default and usage_meter_id in (select id from named))))
     select
       (select coalesce(json_agg(p), '[]') from prices p) as prices,
       (select coalesce(json_agg(m), '[]') from (
         select * from named
         union select id, slug, aggregation_type from usage_meter
           where id in (select "usageMeterId" from prices)) m) as meters,
       (select coalesce(json_agg(s), '[]') from (
         select s.id, s.currency, s.customer_id as "customerId", c.external_id as "customerExternalId", s.test_clock_id as "testClockId", c.archived,
           s.current_billing_period_start is not null
             and s.status not in ('canceled', 'incomplete_expired') as "hasPeriods",
           coalesce(s.transition_due_at <= coalesce(t.frozen_time, (select $7::timestamptz)), false) as "isDue"
         from subscription s join customer c on c.id = s.customer_id
         left join test_clock t on t.id = s.test_clock_id
         where s.pricing_model_id = (select $1::text) and s.id = any($6::text[])) s) as subscriptions`,
    [
      pricingModelId,
      given(events, 'usageMeterId'),
      given(events, 'usageMeterSlug'),
      given(events, 'priceId'),
      given(events, 'priceSlug'),
      given(events, 'subscriptionId'),
      now,
    ],
  );
  const { prices = [], meters = [], subscriptions = [] } = found ?? {};
  return { prices, meters, subscriptions: new Map(subscriptions.map((one) => [one.id, one])) };
}

type Resolve = (input: UsageEventInput) => ResolvedEvent | Issue;

/**
 * Resolves the names of an event, or returns their problem. Many events share names, so each name is looked up once.
 * In a bulk call a retired price is refused.
 */
export function resolver(references: References, isBulk: boolean, hasPeriod = false): Resolve {
  const known = new Map<string, Target | Issue>();
  return (input) => {
    const name = identifiers.find((name) => input[name] != null) ?? 'priceId';
    const subscription = references.subscriptions.get(input.subscriptionId ?? '');
    const key = `${name} ${subscription?.currency} ${input[name]}`;
    const target =
      known.get(key) ?? targetOf(references, name, input[name] ?? '', { isBulk, subscription });
    known.set(key, target);
    if ('message' in target) return target;
    if (!subscription)
      return problem(
        'NOT_FOUND',
        'subscriptionId',
        `Unknown subscription ${input.subscriptionId ?? ''}`,
      );
    for (const field of ['customerId', 'customerExternalId'] as const) {
      if (input[field] != null && input[field] !== subscription[field]) {
        return problem('MISMATCH', field, `is not the customer of ${subscription.id}`);
      }
    }
    if (subscription.archived)
      return problem('ARCHIVED', 'subscriptionId', 'is of an archived customer');
    const { aggregationType } = target.meter;
    const distinct = aggregationType === 'count_distinct_properties';
    if (distinct && Object.keys(input.properties ?? {}).length === 0) {
      return problem(
        'REQUIRED',
        'properties',
        'must not be empty: this meter counts distinct properties',
      );
    }
    if (distinct && !subscription.hasPeriods && !hasPeriod) {
      return problem(
        'INVALID_STATE',
        'subscriptionId',
        'has no billing period, which this meter needs to count distinct properties',
      );
    }
    return { input, subscription, ...target };
  };
}

interface Target {
  readonly meter: Meter;
  readonly priceId: string;
  readonly rate: UnitRate;
  readonly matrix: PriceMatrix | null;
}

const atPrice = ({ id, unitPrice, perUnit, matrix }: Price) => ({
  priceId: id,
  rate: { unitPrice, perUnit: perUnit ?? 1 },
  matrix,
});

/** The meter and the price that an event names, or the problem with its name. */
export function targetOfEvent(references: References, input: UsageEventInput): Target | Issue {
  const name = identifiers.find((name) => input[name] != null) ?? 'priceId';
  return targetOf(references, name, input[name] ?? '', { isBulk: false, subscription: undefined });
}

/** The default price of usage in a currency. A free one serves the currencies that have no other. */
const defaultIn = (defaults: readonly Price[], currency: string | undefined) =>
  currency === undefined
    ? defaults[0]
    : (defaults.find((price) => price.currency === currency) ??
      defaults.find(({ unitPrice }) => unitPrice === 0));

function noDefault(defaults: readonly Price[], subscription: Subscription | undefined): string {
  const { id, currency } = subscription ?? {};
  const known = [...new Set(defaults.map((price) => price.currency))].toSorted().join(', ');
  return known && currency
    ? `has default prices in ${known} only, and ${id} is in ${currency}: create a default price in ${currency}`
    : 'has no default price: give a price';
}

const problem = (code: IssueCode, field: string, message: string): Issue => ({
  code,
  path: [field],
  message,
});

function targetOf(
  { prices, meters }: References,
  name: (typeof identifiers)[number],
  value: string,
  { isBulk, subscription }: { isBulk: boolean; subscription: Subscription | undefined },
): Target | Issue {
  if (name === 'usageMeterId' || name === 'usageMeterSlug') {
    const meter = meters.find((meter) => meter[name === 'usageMeterId' ? 'id' : 'slug'] === value);
    if (!meter) return problem('NOT_FOUND', name, `Unknown usage meter ${value}`);
    const defaults = prices.filter((one) => one.isDefault && one.usageMeterId === meter.id);
    const price = defaultIn(defaults, subscription?.currency);
    if (!price) return problem('INVALID_STATE', name, noDefault(defaults, subscription));
    return { meter, ...atPrice(price) };
  }
  const price =
    name === 'priceId'
      ? prices.find(({ id }) => id === value)
      : prices.find(({ slug, active }) => active && slug === value);
  if (!price) {
    const kind = name === 'priceSlug' ? 'active price' : 'price';
    return problem('NOT_FOUND', name, `Unknown ${kind} ${value}`);
  }
  if (price.type !== 'usage') return problem('INVALID', name, 'is not a usage price');
  if (subscription && price.unitPrice > 0 && price.currency !== subscription.currency) {
    const { id, currency } = subscription;
    const why = `is in ${price.currency}, and ${id} is in ${currency}: give a price in ${currency}`;
    return problem('MISMATCH', name, why);
  }
  if (isBulk && !price.active) return problem('ARCHIVED', name, 'is an inactive price');
  const meter = meters.find(({ id }) => id === price.usageMeterId);
  return meter
    ? { meter, ...atPrice(price) }
    : problem('INVALID_STATE', name, 'has no usage meter');
}
