import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { compareUsage, watchUsage } from '#domain/metering/credits/watch-usage.ts';
import { monthOf, TopUp } from '#domain/model/money/top-up.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { topUpFields } from './top-up-input.ts';

export const updateTopUpInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    topUp: z.object(changesTo({ id: z.string(), ...topUpFields, active: z.boolean() })),
  })
  .refine(...sameId('topUp'));

type Input = z.output<typeof updateTopUpInput>;

/**
 * Changes the threshold and the limits of a top-up; `active: false` stops it, and `active: true` starts a stopped one
 * again. Errors: NOT_FOUND; BAD_REQUEST for fewer packages than this month has had, an ended subscription and a second
 * active top-up of the meter.
 */
export async function updateTopUp(
  session: Session,
  { id, topUp: changes, expectedVersion }: Input,
): Promise<TopUp> {
  const { subscriptionId } = await session.em.findOneOrFail(TopUp, id);
  return lockCaughtUp(session, subscriptionId, async ({ session, subscription }) => {
    const { em, now } = session;
    const topUp = await em.findOneOrFail(TopUp, id, { refresh: true });
    expectVersion(topUp, expectedVersion);
    const { threshold, quantity, mostPerMonth, active } = changes;
    const bought = topUp.month === monthOf(now) ? topUp.purchasesInMonth : 0;
    if (mostPerMonth != null && mostPerMonth < bought) {
      const why = `must be at least ${bought}: so many packages have been bought this month`;
      throw invalid('OUT_OF_RANGE', 'topUp.mostPerMonth', why);
    }
    topUp.purchasesInMonth = bought;
    if (active === true && subscription.isTerminal) {
      throw invalid('INVALID_STATE', 'topUp.active', `${subscriptionId} has ended`);
    }
    patch(topUp, { threshold, quantity, mostPerMonth, active });
    if (active === true) topUp.problem = null;
    topUp.dueAt = null;
    await em.flush();
    await watchUsage(session, subscription);
    await compareUsage(session, subscription);
    return topUp;
  });
}
