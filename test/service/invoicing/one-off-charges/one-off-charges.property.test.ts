// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { deleteOneOffCharge } from '#domain/invoicing/commands/one-off-charges/delete-one-off-charge.ts';
import type { Session } from '#domain/kernel/session.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCharge, linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T10:00:00Z');

const step = fc.record({
  /** Days until it, from the step before. */
  after: fc.integer({ min: 0, max: 40 }),
  unitPrice: fc.integer({ min: 1, max: 3_000 }),
  quantity: fc.constantFrom(1, 2, 0.5, 1.333),
  /** Whether it is deleted before the next step, if no invoice has billed it. */
  deletes: fc.boolean(),
  usage: fc.integer({ min: 0, max: 300 }),
});

const script = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  trialDays: fc.constantFrom(0, 10),
  ends: fc.boolean(),
  /** The days of each move of the clock, where it is advanced in short ones. */
  move: fc.integer({ min: 3, max: 20 }),
});

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

/** Lives through the script, and returns the bills with the amounts that were charged once. */
async function live(session: Session, { steps, trialDays, ends }: Script, move: number | null) {
  const { id, clockId, slug } = await aMeteredSubscription(session, {
    from: '2026-01-01',
    unitPrice: 1,
    usageEventsPerUnit: 1,
    ...(trialDays > 0 && { trialEnd: new Date(start + trialDays * day) }),
  });
  let now = start;
  const moveTo = async (to: number) => {
    for (let at = now + (move ?? 0) * day; move && at < to; at += move * day)
      await advance(session, clockId, new Date(at).toISOString());
    if (to > now) await advance(session, clockId, new Date(to).toISOString());
    now = Math.max(now, to);
  };
  const charged: number[] = [];
  for (const { after, unitPrice, quantity, deletes, usage } of steps) {
    await moveTo(now + after * day);
    const charge = await aCharge(session, id, { unitPrice, quantity });
    if (usage > 0) await use(session, { id, slug }, usage);
    if (deletes) await deleteOneOffCharge(fresh(session), { id: charge.id });
    else charged.push(charge.amount);
  }
  if (ends)
    await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
  await moveTo(now + 40 * day);
  return { bills: await linedInvoicesOf(session, id), charged };
}

test('every one-off charge is billed once, whatever comes beside it, and however the clock advances', async ({
  session,
}) => {
  await tried(
    'one-off-charges',
    fc.asyncProperty(script, async (life) => {
      const { bills, charged } = await live(session, life, null);
      expect((await live(session, life, life.move)).bills).toEqual(bills);
      const lines = bills.join(', ').match(/one_off (\d+)/g) ?? [];
      expect(lines.toSorted()).toEqual(charged.map((amount) => `one_off ${amount}`).toSorted());
    }),
    { cases: 3, milliseconds: 5_000 },
  );
  await expectMoneyToAgree(fresh(session));
});
