import { z } from 'zod';
import { phaseTimings } from '#domain/model/subscriptions/subscription-phase.ts';
import { repeatedRows } from '../source/duplicates.ts';
import { checkRecords, otherFiles, type Raw, type Records } from '../source/read-lists.ts';
import type { Problem, Source, SourceCustomer, SourceSubscription } from '../source/source.ts';
import { cell, days, decimal, filled, flag, instant, minorUnits, quantity, time } from './cells.ts';
import { withPhases } from './phases.ts';
import { readTable } from './table.ts';

const customerRow = z.strictObject({
  external_id: filled,
  name: filled,
  email: filled,
  line1: cell,
  line2: cell,
  city: cell,
  state: cell,
  postal_code: cell,
  country: cell,
  payment_token: cell,
});

const phaseRow = z.strictObject({
  subscription_external_id: filled,
  starts_at: instant,
  timing: z
    .enum(['', ...phaseTimings])
    .default('')
    .transform((text) => text || undefined),
  price_slug: filled,
  quantity,
  unit_price: minorUnits,
  discount_percentage: decimal,
  name: cell,
});

const subscriptionRow = z.strictObject({
  external_id: filled,
  customer_external_id: filled,
  price_slug: filled,
  quantity,
  item_trial_end: time,
  start_date: instant,
  paid_until: time,
  trial_end: time,
  ends_with_period: flag,
  collection_method: z.enum(['', 'charge_automatically', 'send_invoice']).default(''),
  days_until_due: days,
  backdate: z.enum(['', 'charge'], { error: 'must be charge or empty' }).default(''),
  discount_code: cell,
});

type SubscriptionRow = z.output<typeof subscriptionRow>;

/**
 * Reads customers.csv, subscriptions.csv and phases.csv. Several rows of one subscription are its items, of which the
 * first one has its terms. Errors: ImportError.
 */
export async function readCsv(folder: string): Promise<Source> {
  const customers = await rowsOf(folder, 'customers.csv', 'customer', customerRow);
  const rows = await rowsOf(folder, 'subscriptions.csv', 'subscription', subscriptionRow);
  const phases = await rowsOf(folder, 'phases.csv', 'phase', phaseRow);
  const problems: Problem[] = [];
  // One without all of its items would be billed for too little.
  const partial = new Set(rows.refused.map(({ external_id }) => external_id));
  const whole = rows.records.filter((row) => !partial.has(row.external_id));
  const bought = [...Map.groupBy(whole, (row) => row.external_id).values()].flatMap((items) =>
    subscriptionOf(items, problems),
  );
  const planned = withPhases(bought, wholePhases(phases));
  const others = await otherFiles(folder, '.csv', [
    'customers.csv',
    'subscriptions.csv',
    'phases.csv',
  ]);
  return {
    meters: [],
    products: [],
    discounts: [],
    customers: customers.records.map((row) => customerOf(row, problems)),
    subscriptions: planned.subscriptions,
    problems: [
      ...others,
      ...customers.problems,
      ...rows.problems,
      ...phases.problems,
      ...problems,
      ...planned.problems,
    ],
  };
}

/** The rows of the phases of which no row is refused. */
function wholePhases({ records, raw, refused }: Records<z.output<typeof phaseRow>>) {
  const nameOf = ({ subscription_external_id, starts_at }: Raw) =>
    `${subscription_external_id} ${starts_at}`;
  const partial = new Set(refused.map(nameOf));
  return records.filter((_, place) => !partial.has(nameOf(raw[place] ?? {})));
}

/** The rows of a file that have the shape of its columns. Errors: ImportError. */
async function rowsOf<S extends z.ZodRawShape>(
  folder: string,
  file: string,
  kind: string,
  shape: z.ZodObject<S>,
): Promise<Records<z.output<z.ZodObject<S>>>> {
  const columns = Object.keys(shape.shape);
  const required = columns.filter(
    (name) => !(shape.shape[name] as unknown as z.ZodType).safeParse(undefined).success,
  );
  const { rows, problems } = await readTable(folder, file, columns, required);
  const checked = checkRecords(rows, kind, shape);
  return { ...checked, problems: [...problems, ...checked.problems] };
}

function customerOf(row: z.output<typeof customerRow>, problems: Problem[]): SourceCustomer {
  const { external_id, name, email, payment_token, country, ...lines } = row;
  const address = { ...lines, country };
  if (!country && Object.values(lines).some((line) => line !== undefined)) {
    const message = 'has an address without a country: it is imported without the address';
    problems.push({ record: `customer ${external_id}`, message, isLeftOut: true });
  }
  return {
    externalId: external_id,
    name,
    email,
    billingAddress: country ? { name, address } : undefined,
    paymentMethods: payment_token
      ? [{ token: payment_token, type: 'card', data: {}, isDefault: true }]
      : [],
  };
}

/** The columns that the first row of a subscription has for all of its items. */
const shared = [
  'customer_external_id',
  'start_date',
  'paid_until',
  'trial_end',
  'ends_with_period',
  'collection_method',
  'days_until_due',
  'backdate',
  'discount_code',
] as const;

function subscriptionOf(
  rows: readonly SubscriptionRow[],
  problems: Problem[],
): SourceSubscription[] {
  const [first, ...others] = rows;
  if (!first) return [];
  const differs = shared.find((name) =>
    others.some((row) => row[name] && String(row[name]) !== String(first[name])),
  );
  if (differs) {
    const message = `${differs}: differs between the rows of its items: the first row has it for all of them`;
    problems.push({ record: `subscription ${first.external_id}`, message, isLeftOut: true });
    return [];
  }
  problems.push(...repeatedRows(rows, `subscription ${first.external_id}`));
  return [
    {
      externalId: first.external_id,
      customerExternalId: first.customer_external_id,
      items: rows.map(({ price_slug, quantity, item_trial_end }) => ({
        priceSlug: price_slug,
        quantity,
        trialEnd: item_trial_end,
      })),
      startDate: first.start_date,
      paidUntil: first.paid_until,
      trialEnd: first.trial_end,
      chargesBackdated: first.backdate === 'charge',
      endsWithPeriod: first.ends_with_period,
      collectionMethod: first.collection_method || 'charge_automatically',
      daysUntilDue: first.days_until_due,
      discountCode: first.discount_code,
    },
  ];
}
