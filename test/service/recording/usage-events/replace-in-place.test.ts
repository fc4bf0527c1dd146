// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { aUsagePrice } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test as base } from '../../../support/test.ts';
import { at } from '../../../support/timeline.ts';
import { balanceOf, billsOf, creditsOf, grant, use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

/** Ledgers agree at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

const properties = { seat: 'a' };

const usageOf = async (totals: number[]) => totals.map((total) => total - 2_000);

describe('a replacement counts for the period of what it replaces', () => {
  for (const [aggregationType, january, february, replacement, billed] of [
    ['max', [10], [12], 8, [1_000, 1_000]],
    ['sum', [10, 5], [12], 8, [1_500, 1_000]],
    ['last', [10], [12], 8, [1_000, 1_000]],
    ['last', [10, 6], [12], 8, [600, 1_200]],
    ['count', [10, 5], [12], 8, [200, 100]],
    ['max', [10], [12], 15, [1_000, 1_700]],
    ['count_distinct_properties', [10], [3], 7, [1_000, 0]],
  ] as const) {
    for (const later of [0, 1]) {
      test(`${aggregationType}: ${january} in January, ${february} in February, then ${replacement} in place of ${january[0]}${later ? ' in March' : ''}`, async ({
        session,
      }) => {
        const it = await aBilled(session, { aggregationType });
        const events = await use(
          session,
          it,
          ...january.map((amount) => ({ amount: String(amount), properties })),
        );
        await it.to('2026-02-05');
        await use(session, it, ...february.map((amount) => ({ amount: `${amount}`, properties })));
        if (later) await it.to('2026-03-05');
        const { billingPeriodId } = await it.replace(events[0]?.id, replacement);
        expect(billingPeriodId).toBe(events[0]?.billingPeriodId);
        await it.to('2026-04-05');
        const costs = await usageOf(await it.totals());
        expect(costs.slice(1, 2)).toEqual(billed.slice(0, 1));
        expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(billed[0] + billed[1]);
      });
    }
  }

  test('unless its own date lies in a period that has not been billed', async ({ session }) => {
    const it = await aBilled(session);
    const [event, other] = await use(session, it, 10, 20);
    await it.to('2026-02-05');
    const moved = await it.replace(event?.id, 9, { usageDate: at('2026-02-03') });
    const stays = await it.replace(other?.id, 19, { usageDate: at('2026-01-01') });
    expect(moved.billingPeriodId).not.toBe(event?.billingPeriodId);
    expect(stays.billingPeriodId).toBe(event?.billingPeriodId);
    await it.to('2026-03-05');
    expect(await billsOf(session, it)).toEqual(['30 cost 3000, paid', '-2 cost -200, paid']);
  });

  test('also where the event before it has been replaced already', async ({ session }) => {
    const it = await aBilled(session, { aggregationType: 'max' });
    const [event] = await use(session, it, 10);
    await it.to('2026-02-05');
    const second = await it.replace(event?.id, 8);
    await it.to('2026-03-05');
    const third = await it.replace(second.id, 9);
    await it.to('2026-04-05');
    await voidEvent(session, third.id);
    await it.to('2026-05-05');
    expect(await usageOf(await it.totals())).toEqual([0, 1_000, -200, 100, -900]);
  });
});

describe('a replacement takes the place of the replaced event', () => {
  const distinct = { aggregationType: 'count_distinct_properties' } as const;

  test('the first event with some properties counts, also when it is replaced', async ({
    session,
  }) => {
    const it = await aBilled(session, distinct);
    const [first] = await use(session, it, { amount: '10', properties });
    await use(session, it, { amount: '3', properties });
    await it.replace(first?.id, 7);
    expect((await balanceOf(session, it))?.used).toBe('7');
    await it.to('2026-02-05');
    expect(await it.totals()).toEqual([2_000, 2_700]);
  });

  test('and the second one counts once the first is voided, also when it is replaced', async ({
    session,
  }) => {
    const it = await aBilled(session, distinct);
    const [first, second] = await use(
      session,
      it,
      ...['10', '3', '5'].map((amount) => ({ amount, properties })),
    );
    await it.replace(second?.id, 4);
    expect((await balanceOf(session, it))?.used).toBe('10');
    await voidEvent(session, first?.id ?? '');
    expect((await balanceOf(session, it))?.used).toBe('4');
  });

  test('with other properties it counts for those, from its place', async ({ session }) => {
    const it = await aBilled(session, distinct);
    const [first] = await use(session, it, { amount: '10', properties });
    await use(
      session,
      it,
      { amount: '3', properties },
      { amount: '100', properties: { seat: 'b' } },
    );
    await it.replace(first?.id, 7, { properties: { seat: 'b' } });
    expect((await balanceOf(session, it))?.used).toBe('10');
  });

  test('at another price than the event that it outruns', async ({ session }) => {
    const it = await aBilled(session, distinct);
    const dear = await aUsagePrice(session, it.meterId);
    const [first] = await use(session, it, { amount: '10', properties });
    await use(session, it, { amount: '30', properties, priceId: dear.id, usageMeterSlug: null });
    await it.replace(first?.id, 7);
    await it.to('2026-02-05');
    expect(await billsOf(session, it)).toEqual(['7 cost 700, paid']);
  });

  test('of several last ones of one date the one that was recorded last counts', async ({
    session,
  }) => {
    const it = await aBilled(session, { aggregationType: 'last' });
    const [first] = await use(session, it, 10);
    const [second] = await use(session, it, 12);
    const third = await it.replace(first?.id, 8);
    expect((await balanceOf(session, it))?.used).toBe('12');
    const fourth = await it.replace(second?.id, 13);
    expect((await balanceOf(session, it))?.used).toBe('13');
    await voidEvent(session, fourth.id);
    expect((await balanceOf(session, it))?.used).toBe('8');
    await voidEvent(session, third.id);
    expect((await balanceOf(session, it))?.used).toBe('0');
  });
});

describe('credits see only the difference that a replacement makes', () => {
  const told = async (session: Session, id: string) =>
    (await creditsOf(session, { id })).map(
      ({ source, remaining }) => `${source} ${Number(remaining)}`,
    );

  for (const [replacement, expected] of [
    [10, ['feature 10', 'manual 20']],
    [4, ['feature 16', 'manual 20']],
    [13, ['feature 10', 'manual 17']],
  ] as const) {
    test(`by ${replacement} in place of 10, with a better credit given meanwhile`, async ({
      session,
    }) => {
      const it = await aBilled(session, { credits: 20, paid: true });
      await it.to('2026-01-02');
      const [event] = await use(session, it, 10);
      await grant(session, it, 20, { priority: 0 });
      await it.replace(event?.id, replacement);
      expect((await told(session, it.id)).toSorted()).toEqual(expected);
    });
  }

  test('also where distinct properties are counted and another event has them', async ({
    session,
  }) => {
    const it = await aBilled(session, {
      aggregationType: 'count_distinct_properties',
      credits: 20,
    });
    await it.to('2026-01-02');
    const [event] = await use(session, it, { amount: '10', properties });
    await use(session, it, { amount: '3', properties });
    await grant(session, it, 20, { priority: 0 });
    await it.replace(event?.id, 10);
    expect((await told(session, it.id)).toSorted()).toEqual(['feature 10', 'manual 20']);
  });

  test('also after its period has ended, and nothing is billed or credited', async ({
    session,
  }) => {
    const it = await aBilled(session, { creditsOnce: 6 });
    await it.to('2026-01-02');
    const [event] = await use(session, it, 10);
    await it.to('2026-02-05');
    await grant(session, it, 20, { priority: 0 });
    const second = await it.replace(event?.id, 10);
    await it.to('2026-03-05');
    expect((await told(session, it.id)).toSorted()).toEqual(['feature 0', 'manual 20']);
    expect(await it.totals()).toEqual([2_000, 2_400, 2_000]);
    await it.replace(second.id, 7);
    expect((await told(session, it.id)).toSorted()).toEqual(['feature 0', 'manual 20']);
    await it.to('2026-04-05');
    expect((await it.totals()).at(-1)).toBe(1_700);
  });
});
