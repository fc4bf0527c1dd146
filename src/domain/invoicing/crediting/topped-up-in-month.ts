import type { Session } from '#domain/kernel/session.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { monthOf, nextMonth } from '#domain/model/money/top-up.ts';

/**
 * The amount of prepaid credit that top-ups of a customer have bought in the present month of UTC, in minor units. A
 * purchase that is not paid yet counts, one that became void does not.
 */
export async function toppedUpInMonth({ em, now }: Session, customerId: string): Promise<number> {
  await em.flush();
  const bought = await em.find(PrepaidCredit, {
    customer: customerId,
    source: 'top_up',
    voidedAt: null,
    createdAt: { $gte: new Date(`${monthOf(now)}-01T00:00:00Z`), $lt: nextMonth(now) },
  });
  return bought.reduce((sum, { amount }) => sum + amount, 0);
}
