import { createFeature } from '#domain/features/create-feature.ts';
import type { Session } from '#domain/session.ts';
import { createUsageMeter } from '#domain/usage-meters/create-usage-meter.ts';
import type { aggregationTypes } from '#domain/usage-meters/usage-meter.ts';
import { fresh } from './factories.ts';
import { aTimedSubscription } from './timeline.ts';

let count = 0;

interface Usage {
  aggregationType?: (typeof aggregationTypes)[number];
  /** What ten of it cost, in minor units. */
  unitPrice?: number;
  usageEventsPerUnit?: number;
  /** The credits of each period; none when absent. */
  credits?: number;
  creditsOnce?: number;
  from?: string;
  paid?: boolean;
  price?: number;
  trialEnd?: Date;
  doNotCharge?: boolean;
}

/** A subscription on a clock of its own that uses a meter with a price, and maybe has credits. */
export async function aMeteredSubscription(
  session: Session,
  { credits, creditsOnce, from, paid = true, price = 1_000, ...usage }: Usage = {},
) {
  const slug = `metered-${++count}`;
  const meter = await createUsageMeter(fresh(session), {
    usageMeter: { name: 'API calls', slug, aggregationType: usage.aggregationType ?? 'sum' },
    price: { unitPrice: usage.unitPrice ?? 2, usageEventsPerUnit: usage.usageEventsPerUnit ?? 10 },
  });
  const featureIds: string[] = [];
  for (const [amount, renewalFrequency] of [
    [credits, 'every_billing_period'],
    [creditsOnce, 'once'],
  ] as const) {
    if (amount === undefined) continue;
    const feature = await createFeature(fresh(session), {
      feature: {
        type: 'usage_credit_grant',
        name: 'Credits',
        description: 'Free calls',
        slug: `${slug}-${renewalFrequency}`,
        amount,
        usageMeterId: meter.id,
        renewalFrequency,
      },
    });
    featureIds.push(feature.id);
  }
  const { trialEnd, doNotCharge } = usage;
  const timed = await aTimedSubscription(session, {
    paid,
    unitPrice: price,
    ...(from && { from }),
    ...(featureIds.length > 0 && { featureIds }),
    ...(trialEnd && { trialEnd }),
    ...(doNotCharge && { doNotCharge }),
  });
  return { ...timed, slug, meterId: meter.id };
}
