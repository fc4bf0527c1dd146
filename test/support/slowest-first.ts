import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the slowest first: they start processes, or follow long random scripts. */
const slowest = [
  'process',
  'stripe-process',
  'billing-runs/crash',
  'faults/faults',
  'simulation/simulation',
  'usage-balances/usage.property',
  'webhook-process',
  'billing-runs/money.property',
  'billing-process',
  'usage-process',
  'billing-runs/usage-kept',
  'statistics/usage-over-time.property',
  'billing-runs/usage-credited',
  'billing-runs/usage-billing',
  'rest/usage-events',
  'subscriptions/adjust-credits',
  'server/embedded-postgres',
  'claims-process',
  'statistics/mrr.property',
  'subscriptions/adjust.property',
  'rest/subscription-adjustments',
  'schema/credentials',
  'rest/resource-claims',
  'walks',
  'billing-runs/corrections.property',
  'cron/webhooks',
].map((name) => `/${name}.test.ts`);

/**
 * Begins with the slowest files, so that a run does not end with one long file on one core. Vitest's stored durations
 * of earlier runs order the rest; a fresh checkout has none, and orders by size.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowest.findIndex((ending) => moduleId.endsWith(ending));
      return place === -1 ? slowest.length : place;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
