import { z } from 'zod';
import { toppedUpInMonth } from '#domain/invoicing/crediting/topped-up-in-month.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { monthOf } from '#domain/model/money/top-up.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { prepaidTopUpFields } from './create-prepaid-top-up.ts';

export const updatePrepaidTopUpInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    prepaidTopUp: z.object(
      changesTo({ id: z.string(), ...prepaidTopUpFields, active: z.boolean() }),
    ),
  })
  .refine(...sameId('prepaidTopUp'));

/**
 * Changes the amounts of a top-up; `active: false` stops it, and `active: true` starts a stopped one again. Errors:
 * NOT_FOUND; BAD_REQUEST for a month with less room than it has used or one purchase needs, for an archived customer, and
 * for a second active top-up.
 */
export function updatePrepaidTopUp(
  session: Session,
  { id, prepaidTopUp: changes, expectedVersion }: z.output<typeof updatePrepaidTopUpInput>,
): Promise<PrepaidTopUp> {
  return command(session, async (session) => {
    const { em } = session;
    const { customerId } = await em.findOneOrFail(PrepaidTopUp, id);
    const locked = await lockCustomer(session, { id: customerId });
    const topUp = await em.findOneOrFail(PrepaidTopUp, id, { refresh: true });
    expectVersion(topUp, expectedVersion);
    const { threshold, amount, mostPerMonth, active } = changes;
    const atLock = locked?.session ?? session;
    const bought = mostPerMonth == null ? 0 : await toppedUpInMonth(atLock, customerId);
    const least = Math.max(bought, amount ?? topUp.amount);
    const most = mostPerMonth ?? topUp.mostPerMonth;
    if (most < least) {
      const why = `must be at least ${least}: the amount of a purchase, and what was bought this month`;
      throw invalid('OUT_OF_RANGE', 'prepaidTopUp.mostPerMonth', why);
    }
    if (active === true && locked?.customer.archived) {
      throw invalid('INVALID_STATE', 'prepaidTopUp.active', `${customerId} is archived`);
    }
    const isOfMonth = topUp.month === monthOf(atLock.now);
    topUp.boughtInMonth = isOfMonth ? Math.min(topUp.boughtInMonth, most) : 0;
    topUp.waitsUntil = null;
    patch(topUp, { threshold, amount, mostPerMonth, active });
    if (active === true) topUp.problem = null;
    await em.flush();
    return topUp;
  });
}
