import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { compareUsage, watchUsage } from '#domain/metering/credits/watch-usage.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { packageOf, topUpFields } from './top-up-input.ts';

const idInput = z.string().nullish();

export const createTopUpInput = z.object({
  topUp: z
    .object({
      subscriptionId: z.string(),
      usageMeterId: idInput,
      usageMeterSlug: idInput,
      priceId: idInput,
      priceSlug: idInput,
      threshold: topUpFields.threshold,
      quantity: topUpFields.quantity.nullish(),
      mostPerMonth: topUpFields.mostPerMonth,
    })
    .refine(...exactlyOne(['usageMeterId', 'usageMeterSlug']))
    .refine(...exactlyOne(['priceId', 'priceSlug'])),
});

type Input = z.output<typeof createTopUpInput>;

/**
 * Creates a top-up of a subscription and meter. If few credits remain already, a package is bought at once. Errors:
 * BAD_REQUEST for an unknown object, an ended subscription, a price whose product grants no credits of the meter, and a
 * second top-up of the meter.
 */
export async function createTopUp(session: Session, { topUp }: Input): Promise<TopUp> {
  const { subscriptionId, threshold, quantity, mostPerMonth } = topUp;
  if ((await session.em.count(Subscription, { id: subscriptionId })) === 0) {
    throw invalid('NOT_FOUND', 'topUp.subscriptionId', `Unknown subscription ${subscriptionId}`);
  }
  return lockCaughtUp(session, subscriptionId, async ({ session, subscription }) => {
    const { em } = session;
    if (subscription.isTerminal) {
      throw invalid('INVALID_STATE', 'topUp.subscriptionId', `${subscriptionId} has ended`);
    }
    const meter = await meterOf(session, topUp);
    const created = em.create(TopUp, {
      subscription,
      customerId: subscription.customerId,
      usageMeter: meter,
      price: await packageOf(session, subscription, meter, topUp),
      quantity: quantity ?? 1,
      threshold,
      mostPerMonth,
      problem: null,
      month: null,
      pendingPurchaseId: null,
      dueAt: null,
    });
    await em.flush();
    await watchUsage(session, subscription);
    await compareUsage(session, subscription);
    return created;
  });
}

async function meterOf({ em }: Session, { usageMeterId, usageMeterSlug }: Input['topUp']) {
  const named = usageMeterId == null ? { slug: usageMeterSlug ?? '' } : { id: usageMeterId };
  const meter = await em.findOne(UsageMeter, named);
  if (meter) return meter;
  const field = usageMeterId == null ? 'usageMeterSlug' : 'usageMeterId';
  throw invalid('NOT_FOUND', `topUp.${field}`, `Unknown usage meter ${named.id ?? named.slug}`);
}
