import { describe, expect } from 'vitest';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'agreeing',
  { auto: true },
  async ({ session }, { onCleanup }) => {
    onCleanup(async () => {
      await expectLedgersToAgree(session);
      await expectMoneyToAgree(session);
    });
  },
);

let count = 0;

/** A customer on the free plan from 2026-01-01 on, with a meter at 100 for each unit. */
async function aFreeUser(session: Session) {
  const it = await aTimeline(session);
  const slug = `free-${++count}`;
  await createUsageMeter(fresh(session), {
    usageMeter: { name: 'Calls', slug },
    price: { unitPrice: 100 },
  });
  const [plan] = await it.subscriptions();
  const id = plan?.id ?? '';
  return {
    ...it,
    id,
    slug,
    free: () => it.subscription(id),
    bills: async () => (await it.invoices()).map(({ total, status }) => `${total} ${status}`),
  };
}

describe('usage of a free plan', () => {
  test('is paid at once with the first card, for every period that is owed', async ({
    session,
  }) => {
    const it = await aFreeUser(session);
    await use(session, it, 12);
    await it.toDay(40);
    await use(session, it, 3);
    await it.toDay(70);
    expect(await it.bills()).toEqual([]);
    await it.pays('sandbox_success');
    expect(await it.bills()).toEqual(['1500 paid']);
    expect(await it.free()).toMatchObject({ status: 'active', defaultPaymentMethod: null });
    await it.pays('sandbox_success', { default: true });
    await it.toDay(100);
    expect(await it.bills()).toEqual(['1500 paid']);
  });

  test.for([['that has paid before'], ['that has never paid']])(
    'is written off as uncollectible when dunning ends a plan %s: it was delivered',
    async ([which], { session }) => {
      await updateOrganization(fresh(session), {
        organization: { dunningRetryDays: [1], dunningFinalAction: 'cancel' },
      });
      const it = await aFreeUser(session);
      if (which === 'that has paid before') {
        await it.pays('sandbox_success');
        await use(session, it, 5);
        await it.toDay(32);
      }
      await it.pays('sandbox_decline_insufficient_funds', { default: true });
      await use(session, it, 50);
      await it.toDay(90);
      expect((await it.bills()).at(-1)).toBe('5000 uncollectible');
      const last = (await it.invoices()).at(-1);
      const notes = await it.fresh().em.find(CreditNote, { invoice: last?.id ?? '' });
      expect(notes).toMatchObject([{ reason: 'uncollectible', total: 5_000 }]);
    },
  );

  test('is not paid for when a card comes and nothing is owed', async ({ session }) => {
    const it = await aFreeUser(session);
    const [event] = await use(session, it, 12);
    await it.toDay(40);
    await voidEvent(session, event?.id ?? '');
    await use(session, it, 1);
    await it.pays('sandbox_success');
    expect(await it.bills()).toEqual([]);
    expect(await it.runs()).toEqual([]);
  });

  test('that could not be paid stays owed in later periods, until a new card pays at once', async ({
    session,
  }) => {
    const it = await aFreeUser(session);
    await it.pays('sandbox_decline_insufficient_funds');
    await use(session, it, 12);
    for (const [day, status] of [
      [32, 'past_due'],
      [50, 'unpaid'],
      [70, 'unpaid'],
      [100, 'unpaid'],
    ] as const) {
      await it.toDay(day);
      expect(await it.free()).toMatchObject({ status });
      if (day === 50) await use(session, it, 2);
    }
    expect(await it.bills()).toEqual(['1200 open']);
    await it.pays('sandbox_success', { default: true });
    expect((await it.bills()).toSorted()).toEqual(['1200 paid', '200 paid']);
    expect(await it.free()).toMatchObject({ status: 'active' });
  });
});

describe('two charges at one instant', () => {
  test.for([
    // When the first payment of the plan fails, the free plan continues, and its usage is not due yet.
    ['sandbox_decline_then_success', '2000 void'],
    ['sandbox_success', '1200 paid, 2000 paid'],
  ] as const)(
    'of a free plan for its usage and of the plan that replaces it, with %s: the plan is charged first',
    async ([token, outcome], { session }) => {
      const outcomes = new Set<string>();
      for (let attempt = 0; attempt < 4; attempt++) {
        const it = await aFreeUser(session);
        await use(session, it, 12);
        await it.pays(token);
        await it.subscribes({ unitPrice: 2_000 });
        await it.toDay(1);
        const invoices = await it.invoices();
        outcomes.add(
          invoices
            .map(({ total, status }) => `${total} ${status}`)
            .sort()
            .join(', '),
        );
      }
      expect([...outcomes]).toEqual([outcome]);
    },
  );
});
