import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { phaseTimings } from '#domain/subscription-phases/subscription-phase.ts';
import { withPhases } from './csv-phases.ts';
import { ImportError } from './import-error.ts';
import { checkRecords, readOptional } from './read-lists.ts';
import type { Source, SourceCustomer, SourceSubscription } from './source.ts';

const optional = z.string().transform((text) => text || undefined);
const cell = z.string().default('').pipe(optional);

/** A time with its zone, or a day, which begins at midnight in UTC. */
const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a day, or a time with its zone, such as 2026-01-31T10:00:00Z',
  })
  .transform((text) => new Date(text));

const customerRow = z.strictObject({
  external_id: z.string().min(1),
  name: z.string().min(1),
  email: z.string().min(1),
  line1: cell,
  line2: cell,
  city: cell,
  state: cell,
  postal_code: cell,
  country: cell,
  payment_token: cell,
});

const time = z
  .string()
  .default('')
  .transform((text) => text || undefined)
  .pipe(instant.optional());

const quantity = z
  .string()
  .default('')
  .transform((text) => Number(text || 1))
  .pipe(z.int().min(1));

const phaseRow = z.strictObject({
  subscription_external_id: z.string().min(1),
  starts_at: instant,
  timing: z
    .enum(['', ...phaseTimings])
    .default('')
    .transform((text) => text || undefined),
  price_slug: z.string().min(1),
  quantity,
  unit_price: z
    .string()
    .default('')
    .transform((text) => (text ? Number(text) : undefined))
    .pipe(z.int().min(0).optional()),
  discount_percentage: cell,
  name: cell,
});

const subscriptionRow = z.strictObject({
  external_id: z.string().min(1),
  customer_external_id: z.string().min(1),
  price_slug: z.string().min(1),
  quantity,
  item_trial_end: time,
  start_date: instant,
  paid_until: time,
  trial_end: time,
  ends_with_period: z.enum(['', 'true', 'false']).default(''),
  collection_method: z.enum(['', 'charge_automatically', 'send_invoice']).default(''),
  days_until_due: z
    .string()
    .default('')
    .transform((text) => (text ? Number(text) : undefined))
    .pipe(z.int().min(0).optional()),
  backdate: z.enum(['', 'charge'], { error: 'must be charge or empty' }).default(''),
  discount_code: cell,
});

/**
 * Reads customers.csv, subscriptions.csv and phases.csv. Several rows of one subscription are its items, of which the
 * first one has its terms. Errors: ImportError.
 */
export async function readCsv(folder: string): Promise<Source> {
  const customers = checkRecords(await rowsOf(folder, 'customers.csv'), 'customer', customerRow);
  const rows = checkRecords(
    await rowsOf(folder, 'subscriptions.csv'),
    'subscription',
    subscriptionRow,
  );
  const phases = checkRecords(await rowsOf(folder, 'phases.csv'), 'phase', phaseRow);
  const bought = [...Map.groupBy(rows.records, (row) => row.external_id).values()].flatMap(
    (items) => subscriptionOf(items),
  );
  const planned = withPhases(bought, phases.records);
  return {
    meters: [],
    products: [],
    discounts: [],
    customers: customers.records.map(customerOf),
    subscriptions: planned.subscriptions,
    problems: [...customers.problems, ...rows.problems, ...phases.problems, ...planned.problems],
  };
}

async function rowsOf(folder: string, file: string): Promise<readonly unknown[]> {
  const text = await readOptional(join(folder, file));
  if (text === undefined) return [];
  try {
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new ImportError(
      `${file} is not CSV with a first row of names: ${(error as Error).message}`,
    );
  }
}

function customerOf(row: z.output<typeof customerRow>): SourceCustomer {
  const { external_id, name, email, payment_token, country, ...lines } = row;
  const address = { ...lines, country };
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

function subscriptionOf(rows: readonly z.output<typeof subscriptionRow>[]): SourceSubscription[] {
  const [first] = rows;
  if (!first) return [];
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
      endsWithPeriod: first.ends_with_period === 'true',
      collectionMethod: first.collection_method || 'charge_automatically',
      daysUntilDue: first.days_until_due,
      discountCode: first.discount_code,
    },
  ];
}
