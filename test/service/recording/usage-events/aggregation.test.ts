// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { aUsagePrice, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  balanceOf,
  billsOf,
  type User,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

const usedOf = async (session: Session, user: User) =>
  Number((await balanceOf(session, user))?.used);

const meter = (session: Session, aggregationType: (typeof aggregationTypes)[number]) =>
  aMeteredSubscription(session, { aggregationType });

const replace = (session: Session, { id }: UsageEvent, amount: number, more: object = {}) =>
  replaceUsageEvent(fresh(session), {
    id,
    usageEvent: { amount: String(amount), transactionId: crypto.randomUUID(), ...more },
    reason: 'A mistake',
  });

const events = (all: readonly UsageEvent[]) => all as readonly [UsageEvent, UsageEvent, UsageEvent];

describe('sum', () => {
  test('adds amounts up, in one call and in several, and without what is voided', async ({
    session,
  }) => {
    const user = await meter(session, 'sum');
    const [first] = events(await use(session, user, 1, 2, '0.5'));
    await use(session, user, 4);
    expect(await usedOf(session, user)).toBe(7.5);
    await voidEvent(session, first.id);
    expect(await usedOf(session, user)).toBe(6.5);
    await replace(session, (await use(session, user, 10))[0] as UsageEvent, 3);
    expect(await usedOf(session, user)).toBe(9.5);
  });
});

describe('count', () => {
  test('counts events, whatever their amounts', async ({ session }) => {
    const user = await meter(session, 'count');
    const [first] = events(await use(session, user, 100, 2, '0.5'));
    expect(await usedOf(session, user)).toBe(3);
    await voidEvent(session, first.id);
    expect(await usedOf(session, user)).toBe(2);
    await replace(session, (await use(session, user, 10))[0] as UsageEvent, 3);
    expect(await usedOf(session, user)).toBe(3);
  });
});

describe('max', () => {
  test('falls to the largest number of the others, by its value and not as a text', async ({
    session,
  }) => {
    const user = await meter(session, 'max');
    const [, , largest] = events(await use(session, user, 9, 1_000, 2_000));
    await voidEvent(session, largest.id);
    expect(await usedOf(session, user)).toBe(1_000);
  });

  test('is the largest amount of the period; the next largest when that is voided', async ({
    session,
  }) => {
    const user = await meter(session, 'max');
    const [five, nine, seven] = events(await use(session, user, 5, 9, 7));
    expect(await usedOf(session, user)).toBe(9);
    await use(session, user, 8);
    expect(await usedOf(session, user)).toBe(9);
    await voidEvent(session, seven.id);
    expect(await usedOf(session, user)).toBe(9);
    await voidEvent(session, nine.id);
    expect(await usedOf(session, user)).toBe(8);
    await replace(session, five, 12);
    expect(await usedOf(session, user)).toBe(12);
  });

  test('nothing is left when all is voided, and each period begins anew', async ({ session }) => {
    const user = await meter(session, 'max');
    const [only] = await use(session, user, 5);
    await voidEvent(session, only?.id ?? '');
    expect(await usedOf(session, user)).toBe(0);
    await use(session, user, 40);
    await advance(session, user.clockId, '2026-03-01');
    await use(session, user, 30);
    expect(await usedOf(session, user)).toBe(30);
    expect(await billsOf(session, user)).toEqual(['40 cost 8, paid']);
  });
});

describe('last', () => {
  test('is the amount with the latest date of use, whenever it is reported', async ({
    session,
  }) => {
    const user = await meter(session, 'last');
    await advance(session, user.clockId, '2026-02-03');
    await use(
      session,
      user,
      { amount: '5', usageDate: at('2026-01-31') },
      { amount: '9', usageDate: at('2026-02-03') },
      { amount: '7', usageDate: at('2026-02-02') },
    );
    expect(await usedOf(session, user)).toBe(9);
    await use(session, user, { amount: '6', usageDate: at('2026-02-01') });
    expect(await usedOf(session, user)).toBe(9);
    await use(session, user, { amount: '2', usageDate: at('2026-02-03') });
    expect(await usedOf(session, user)).toBe(2);
  });

  test('is the one before when the last is voided', async ({ session }) => {
    const user = await meter(session, 'last');
    await advance(session, user.clockId, '2026-02-03');
    const [one, two, three] = events(
      await use(
        session,
        user,
        { amount: '5', usageDate: at('2026-02-01') },
        { amount: '9', usageDate: at('2026-02-02') },
        { amount: '7', usageDate: at('2026-02-03') },
      ),
    );
    await voidEvent(session, three.id);
    expect(await usedOf(session, user)).toBe(9);
    await replace(session, two, 4, { usageDate: at('2026-01-31') });
    expect(await usedOf(session, user)).toBe(5);
    await voidEvent(session, one.id);
    expect(await usedOf(session, user)).toBe(4);
  });

  test('of readings of the same instant the one that was reported last counts, also when those after it are voided', async ({
    session,
  }) => {
    const user = await meter(session, 'last');
    const readings = [...(await use(session, user, 5, 1, 9, 3, 8, 2, 7))];
    readings.push(...(await use(session, user, 6, 4)));
    for (const { id, amount } of readings.toReversed()) {
      expect(await usedOf(session, user)).toBe(Number(amount));
      await voidEvent(session, id);
    }
    expect(await usedOf(session, user)).toBe(0);
  });
});

describe('count_distinct_properties', () => {
  const with_ = (amount: number, properties: object) => ({
    amount: String(amount),
    properties: properties as never,
  });

  test('the first event with its properties counts; the order of keys makes no difference', async ({
    session,
  }) => {
    const user = await meter(session, 'count_distinct_properties');
    await use(session, user, with_(1, { user: 1, at: { x: 1, y: 2 } }));
    await use(session, user, with_(10, { at: { y: 2, x: 1 }, user: 1 }));
    expect(await usedOf(session, user)).toBe(1);
    await use(
      session,
      user,
      with_(3, { user: 2 }),
      with_(50, { user: 2 }),
      with_(5, { user: '2' }),
    );
    expect(await usedOf(session, user)).toBe(9);
  });

  test('the next period counts them again', async ({ session }) => {
    const user = await meter(session, 'count_distinct_properties');
    await use(session, user, with_(1, { user: 1 }));
    await advance(session, user.clockId, '2026-03-01');
    await use(session, user, with_(1, { user: 1 }), with_(1, { user: 1 }));
    expect(await usedOf(session, user)).toBe(1);
    expect(await billsOf(session, user)).toEqual(['1 cost 0, paid']);
  });

  test('when the one that counted is voided the next one counts, and when none is left the next to come', async ({
    session,
  }) => {
    const user = await meter(session, 'count_distinct_properties');
    const [first] = await use(session, user, with_(1, { user: 1 }));
    const [second] = await use(session, user, with_(4, { user: 1 }));
    await voidEvent(session, first?.id ?? '');
    expect(await usedOf(session, user)).toBe(4);
    await voidEvent(session, second?.id ?? '');
    expect(await usedOf(session, user)).toBe(0);
    const [third] = await use(session, user, with_(8, { user: 1 }));
    expect(await usedOf(session, user)).toBe(8);
    await replace(session, third as UsageEvent, 16, { properties: { user: 2 } });
    await use(session, user, with_(32, { user: 2 }));
    expect(await usedOf(session, user)).toBe(16);
  });

  test('one that did not count changes nothing when it is voided', async ({ session }) => {
    const user = await meter(session, 'count_distinct_properties');
    const [, second] = await use(session, user, with_(1, { user: 1 }), with_(4, { user: 1 }));
    await voidEvent(session, second?.id ?? '');
    expect(await usedOf(session, user)).toBe(1);
  });

  test('the next one that counts is billed at its own price', async ({ session }) => {
    const user = await meter(session, 'count_distinct_properties');
    const { id: priceId } = await aUsagePrice(session, user.meterId);
    const [first] = await use(session, user, with_(10, { user: 1 }));
    await use(session, user, { ...with_(70, { user: 1 }), priceId });
    await voidEvent(session, first?.id ?? '');
    await advance(session, user.clockId, '2026-03-01');
    const { em } = fresh(session);
    const lines = await em.find(InvoiceLineItem, { type: 'usage' });
    expect(lines).toMatchObject([{ priceId, usageQuantity: '70' }]);
  });

  test('there must be a billing period within which properties are distinct', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, {
      aggregationType: 'count_distinct_properties',
      paid: false,
    });
    await expect(use(session, user, with_(1, { user: 1 }))).rejects.toMatchObject({
      issues: [{ path: ['usageEvents', 0, 'subscriptionId'] }],
    });
  });

  test('properties are required', async ({ session }) => {
    const user = await meter(session, 'count_distinct_properties');
    for (const properties of [undefined, {}]) {
      await expect(use(session, user, { amount: '1', properties })).rejects.toMatchObject({
        issues: [{ path: ['usageEvents', 0, 'properties'] }],
      });
    }
  });
});
