import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import { test } from '../../../support/test.ts';
import { advance, at, fresh, periodsOf } from '../../../support/timeline.ts';
import { aMeteredSubscription, use, voidEvent } from '../../../support/usage.ts';

/** The lines of the invoices of a subscription, without the dates. */
async function linesOf(session: Session, subscription: string) {
  const invoices = await fresh(session).em.find(
    Invoice,
    { subscription },
    { orderBy: { position: 'asc' }, populate: ['lineItems'] },
  );
  return invoices.map(({ purpose, lineItems }) => {
    const lines = lineItems.getItems().map(({ type, amount }) => `${type} ${amount}`);
    return `${purpose}: ${lines.sort().join(', ')}`;
  });
}

const terms = fc.record(
  {
    aggregationType: fc.constantFrom('sum', 'count', 'max', 'last'),
    credits: fc.integer({ min: 1, max: 60 }),
    creditsOnce: fc.integer({ min: 1, max: 60 }),
    commitment: fc.constant({ amount: 3_000, counts: 'usage' } as const),
    pricing: fc.record(
      {
        unitPrice: fc.integer({ min: 1, max: 50 }),
        freeUnits: fc.constant(20),
        minimumAmount: fc.constant(700),
      },
      { requiredKeys: ['unitPrice'] },
    ),
  },
  { requiredKeys: ['aggregationType'] },
);

const amounts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 3 });

describe('usage in a pause of the billing', () => {
  test('costs what the same usage costs right after it: one price, one minimum, one commitment', async ({
    session,
  }) => {
    await tried(
      'usage in a pause',
      fc.asyncProperty(terms, amounts, amounts, amounts, async (terms, first, second, third) => {
        const billed = async (isEarly: boolean) => {
          const user = await aMeteredSubscription(session, { ...terms, from: '2026-01-01' });
          const { id, clockId } = user;
          await use(session, user, ...first);
          await pauseSubscription(fresh(session), { id, pause: { timing: 'immediately' } });
          await advance(session, clockId, '2026-02-10');
          if (isEarly) await use(session, user, ...second);
          await advance(session, clockId, '2026-03-05');
          await resumeSubscription(fresh(session), { id });
          if (!isEarly) await use(session, user, ...second);
          await use(session, user, ...third);
          await advance(session, clockId, '2026-05-06');
          await expectMoneyToAgree(fresh(session));
          await expectLedgersToAgree(fresh(session));
          return linesOf(session, id);
        };
        expect(await billed(true)).toEqual(await billed(false));
      }),
      { cases: 6, milliseconds: 10_000 },
    );
  });

  test('counts for the period that follows, which has its id from the beginning', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { from: '2026-01-01' });
    await pauseSubscription(fresh(session), { id: user.id, pause: { timing: 'immediately' } });
    await advance(session, user.clockId, '2026-02-10');
    const [event] = await use(session, user, 10);
    await advance(session, user.clockId, '2026-03-05');
    await resumeSubscription(fresh(session), { id: user.id });
    const [after] = await use(session, user, 10);
    const periods = await periodsOf(session, user.id);
    expect(periods).toHaveLength(2);
    expect([event, after].map((one) => one?.billingPeriodId)).toEqual(
      Array(2).fill(periods[1]?.id),
    );
  });

  test('is billed with the end of the subscription, and corrected afterwards', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { from: '2026-01-01' });
    await pauseSubscription(fresh(session), { id: user.id, pause: { timing: 'immediately' } });
    await advance(session, user.clockId, '2026-02-10');
    const [event] = await use(session, user, 50, 100);
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    await advance(session, user.clockId, '2026-02-12');
    expect(await linesOf(session, user.id)).toEqual([
      'period: static 1000',
      'last_usage: usage 30',
    ]);
    await voidEvent(session, event?.id ?? '');
    await expectMoneyToAgree(fresh(session));
    await expectLedgersToAgree(fresh(session));
  });
});

describe('usage ahead of its time', () => {
  const end = at('2026-02-01').getTime();

  test('of a clock that is up to 5 minutes ahead is billed with the period of its time', async ({
    session,
  }) => {
    await tried(
      'usage ahead',
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 * 60_000 }),
        fc.integer({ min: -10 * 60_000, max: 5 * 60_000 }),
        async (before, ahead) => {
          const user = await aMeteredSubscription(session, { from: '2026-01-01' });
          await advance(session, user.clockId, new Date(end - before).toISOString());
          const usageDate = new Date(end - before + ahead);
          const [event] = await use(session, user, { amount: '100', usageDate });
          await advance(session, user.clockId, '2026-03-02');
          const [january, february] = await periodsOf(session, user.id);
          const own = usageDate.getTime() < end ? january : february;
          expect(event?.billingPeriodId).toBe(own?.id);
          expect(await linesOf(session, user.id)).toEqual([
            'period: static 1000',
            own === january ? 'period: static 1000, usage 20' : 'period: static 1000',
            own === january ? 'period: static 1000' : 'period: static 1000, usage 20',
          ]);
          await expectLedgersToAgree(fresh(session));
        },
      ),
      { cases: 5, milliseconds: 5_000 },
    );
  });

  test('is billed with the end of a subscription that ends before it', async ({ session }) => {
    const user = await aMeteredSubscription(session, { from: '2026-01-01' });
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    await advance(session, user.clockId, new Date(end - 60_000).toISOString());
    const usageDate = new Date(end + 60_000);
    await use(session, user, 100, { amount: '100', usageDate });
    await advance(session, user.clockId, '2026-02-02');
    expect(await linesOf(session, user.id)).toEqual([
      'period: static 1000',
      'last_usage: usage 40',
    ]);
    await expectMoneyToAgree(fresh(session));
  });
});
