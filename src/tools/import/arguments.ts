import { readWithHelp } from '../read-arguments.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate import FOLDER [--from stripe|csv] [--apply] [--live] [--pricing-model ID] [--test-clock ID]

  Reads customers, products, prices, subscriptions and discounts of another system from the files of a folder, and
  prints a report of what an import would create, keep and leave out. Nothing is written without --apply.

  --from stripe    lists of Stripe's API (the default): products.json, prices.json, meters.json, coupons.json,
                   promotion_codes.json, customers.json, payment_methods.json, subscriptions.json and
                   subscription_schedules.json
  --from csv       customers.csv, subscriptions.csv and phases.csv
  --apply          imports; a repeated call continues where the last one ended, and creates nothing twice
  --live           imports into live mode instead of test mode
  --pricing-model  the pricing model; the default one without it
  --test-clock     a test clock of test mode, on which the new customers live

  The exit code is 1 when something was left out: a record, or a field that changes what is charged. The guide "Imports" describes the files.
`;

/** The request of the command line. */
export interface ImportRequest {
  readonly folder: string;
  readonly from: 'stripe' | 'csv';
  readonly applies: boolean;
  readonly live: boolean;
  readonly pricingModelId: string | undefined;
  /** The test clock on which new customers live; undefined for the real time. */
  readonly testClockId: string | undefined;
}

/** Reads the arguments of the command line; undefined for a call for help. Errors: UsageError. */
export function parseImportArguments(args: readonly string[]): ImportRequest | undefined {
  const { values, positionals } = readWithHelp(args, options);
  if (values.help) return undefined;
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError('Name one folder');
  const { from = 'stripe', 'test-clock': testClockId } = values;
  if (from !== 'stripe' && from !== 'csv') throw new UsageError('--from must be stripe or csv');
  if (values.live && testClockId !== undefined) {
    throw new UsageError('--test-clock names a clock of test mode: leave out --live');
  }
  return {
    folder,
    from,
    applies: values.apply ?? false,
    live: values.live ?? false,
    pricingModelId: values['pricing-model'],
    testClockId,
  };
}

const options = {
  from: { type: 'string' },
  apply: { type: 'boolean' },
  live: { type: 'boolean' },
  'pricing-model': { type: 'string' },
  'test-clock': { type: 'string' },
} as const;
