// @module-tag long
import { describe, expect } from 'vitest';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { LedgerTransaction } from '#domain/model/metering/ledger-transaction.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { aUsagePrice, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  availableOf,
  balanceOf,
  billsOf,
  creditsOf,
  grant,
  owedOf,
  type User,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

/** The rest of each credit, in the order in which they were granted. */
const leftOf = async (session: Session, user: User) =>
  (await creditsOf(session, user)).map(({ remaining }) => Number(remaining));

/** The entries of each ledger transaction, without zeros, in no particular order. */
const entriesOf = async (session: Session) => {
  const all = await fresh(session).em.find(LedgerTransaction, {});
  return all
    .map(({ type, usage, credits, overage, granted, expired, billed }) => {
      const entries = Object.entries({ usage, credits, overage, granted, expired, billed })
        .filter(([, amount]) => Number(amount) !== 0)
        .map(([account, amount]) => `${account} ${amount}`);
      return `${type}: ${entries.join(', ')}`;
    })
    .sort();
};

describe('usage and credits', () => {
  test('100 used without credits is one transaction, and the balance is −100', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    expect(await entriesOf(session)).toEqual(['usage_recorded: usage 100, overage -100']);
    expect(await availableOf(session, user)).toBe(-100);
  });

  test('100 used of 30 credits: 30 are applied, and the balance is −70', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 30);
    await use(session, user, 100);
    expect(await entriesOf(session)).toEqual([
      'credit_granted: credits 30, granted -30',
      'usage_recorded: usage 100, credits -30, overage -70',
    ]);
    expect(await availableOf(session, user)).toBe(-70);
  });

  test('100 used of 120 credits: 100 are applied, and the balance is 20', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 120);
    await use(session, user, 100);
    expect(await availableOf(session, user)).toBe(20);
    expect(await leftOf(session, user)).toEqual([20]);
  });

  test.for([
    [[30, 90], [0, 20], 20],
    [[30, 40], [0, 0], -30],
  ] as const)(
    '100 used of credits %j leaves %j, and a balance of %i',
    async (numbers, { session }) => {
      const [credits, left, balance] = numbers;
      const user = await aMeteredSubscription(session);
      for (const [place, amount] of credits.entries()) {
        await grant(session, user, amount, { expiresAt: at(`2026-03-0${place + 1}`) });
      }
      await use(session, user, 100);
      expect(await leftOf(session, user)).toEqual(left);
      expect(await availableOf(session, user)).toBe(balance);
    },
  );

  test('credits that are used up are passed over; what is left of one is used to its end', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 10, { expiresAt: at('2026-03-01') });
    await grant(session, user, 120);
    await use(session, user, 10);
    await use(session, user, 100);
    expect(await leftOf(session, user)).toEqual([0, 20]);
    await use(session, user, 50);
    expect(await leftOf(session, user)).toEqual([0, 0]);
    expect(await availableOf(session, user)).toBe(-30);
  });

  test('50 used and not paid for, then 100 without credits: −150', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 50);
    await use(session, user, 100);
    expect(await availableOf(session, user)).toBe(-150);
  });

  test('100 credits used by 100, then 50 used: nothing more is applied, and the balance is −50', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 100);
    await use(session, user, 100);
    await use(session, user, 50);
    expect(await entriesOf(session)).toContain('usage_recorded: usage 50, overage -50');
    expect(await availableOf(session, user)).toBe(-50);
  });

  test('the soonest to run out is used first and what never runs out last; a priority comes before both', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 1);
    await grant(session, user, 2, { expiresAt: at('2026-04-01') });
    await grant(session, user, 4, { expiresAt: at('2026-03-01') });
    await grant(session, user, 8, { priority: 10 });
    await grant(session, user, 16, { priority: 90, expiresAt: at('2026-02-05') });
    const story: number[][] = [];
    for (const amount of [8, 4, 2, 1, 16]) {
      await use(session, user, amount);
      story.push(await leftOf(session, user));
    }
    expect(story).toEqual([
      [1, 2, 4, 0, 16],
      [1, 2, 0, 0, 16],
      [1, 0, 0, 0, 16],
      [0, 0, 0, 0, 16],
      [0, 0, 0, 0, 0],
    ]);
  });

  test('credits that are given later cover what the running period has used without any', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await grant(session, user, 30);
    expect(await availableOf(session, user)).toBe(-70);
    await grant(session, user, 100);
    expect(await availableOf(session, user)).toBe(30);
    expect(await entriesOf(session)).toEqual([
      'credit_applied: credits -30, overage 30',
      'credit_applied: credits -70, overage 70',
      'credit_granted: credits 100, granted -100',
      'credit_granted: credits 30, granted -30',
      'usage_recorded: usage 100, overage -100',
    ]);
  });
});

describe('the end of a period', () => {
  test('credits given once are not given again; those of each period are, and do not roll over', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 75, creditsOnce: 20 });
    expect(await leftOf(session, user)).toEqual([20, 75]);
    await advance(session, user.clockId, '2026-03-01');
    expect(await leftOf(session, user)).toEqual([20, 0, 75]);
    expect((await creditsOf(session, user)).map(({ expired }) => Number(expired))).toEqual([
      0, 75, 0,
    ]);
    expect(await availableOf(session, user)).toBe(95);
  });

  test('only credits given once: nothing more is given later', async ({ session }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 20 });
    await advance(session, user.clockId, '2026-04-01');
    expect(await leftOf(session, user)).toEqual([20]);
  });

  test('of 1,000 credits that run out at the end of the period the rest expires, and none of later or endless ones', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 1_000, { expiresAt: at('2026-02-28') });
    await grant(session, user, 10, { expiresAt: at('2026-03-15') });
    await grant(session, user, 5);
    await use(session, user, 400);
    await advance(session, user.clockId, '2026-03-01');
    expect(await leftOf(session, user)).toEqual([5, 10, 0]);
    expect(await entriesOf(session)).toContain('credit_expired: credits -600, expired 600');
  });

  test('what is not covered is billed once, and the balance is back at zero', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    expect(await availableOf(session, user)).toBe(0);
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    await advance(session, user.clockId, '2026-05-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    expect(await owedOf(session, user)).toEqual(['100 billed']);
  });

  test('two meters, one with two prices, are billed on lines of their own next to the plan', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const dear = await aUsagePrice(session, user.meterId, { slug: 'dear' });
    const other = { id: user.id, slug: 'storage' };
    await createUsageMeter(fresh(session), {
      usageMeter: { name: 'Storage', slug: 'storage' },
      price: { unitPrice: 3, usageEventsPerUnit: 1 },
    });
    await use(session, user, 100, { amount: '50', priceId: dear.id });
    await use(session, other, 7);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual([
      '100 cost 20, paid',
      '50 cost 10, paid',
      '7 cost 21, paid',
    ]);
    expect(await availableOf(session, user)).toBe(0);
    expect(await availableOf(session, other)).toBe(0);
  });

  test('credits cover the dearest of several prices first, in whatever order they were used', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { unitPrice: 1, usageEventsPerUnit: 1 });
    const { id: cheap } = await aUsagePrice(session, user.meterId);
    await grant(session, user, 30);
    await use(session, user, { amount: '100', priceId: cheap }, 50);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid', '20 cost 20, paid']);
  });

  test('no usage makes no line', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 10 });
    await use(session, user, 10);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual([]);
    expect(await owedOf(session, user)).toEqual([]);
  });

  test('a line is rounded once, half up, of the exact quotient', async ({ session }) => {
    for (const [amount, cost] of [
      ['7.499999999', 1],
      ['7.5', 2],
      ['2.499999999', 0],
      ['2.5', 1],
    ] as const) {
      const user = await aMeteredSubscription(session, { unitPrice: 1, usageEventsPerUnit: 5 });
      await use(session, user, amount);
      await advance(session, user.clockId, '2026-03-01');
      expect(await billsOf(session, user)).toEqual([`${amount} cost ${cost}, paid`]);
    }
  });

  test('amounts that no binary float represents add up exactly', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, '9007199254740991');
    await use(session, user, '0.1', '0.2', '0.000000001');
    expect((await balanceOf(session, user))?.available).toBe('9007199254740990.699999999');
    expect((await balanceOf(session, user))?.used).toBe('0.300000001');
  });

  test('a corrected grant and an unused meter leave others alone', async ({ session }) => {
    const [one, other] = [await aMeteredSubscription(session), await aMeteredSubscription(session)];
    await grant(session, one, 10);
    const [event] = await use(session, one, 4);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, one)).toBe(10);
    expect(await balanceOf(session, other)).toBeUndefined();
  });
});

test('the database keeps a ledger transaction as it was written, and refuses one that is not zero', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session);
  await use(session, user, 1);
  const { em } = fresh(session);
  await expect(em.execute('update ledger_transaction set usage = 2, overage = -2')).rejects.toThrow(
    'stays as it was written',
  );
  await expect(em.execute('delete from ledger_transaction')).rejects.toThrow('stays as it was');
  await expect(
    em.execute(
      `insert into ledger_transaction (id, created_at, livemode, organization_id, pricing_model_id, balance_id,
         type, source_id, usage) select 'x', created_at, livemode, organization_id, pricing_model_id, balance_id,
         type, 'x', 1 from ledger_transaction`,
    ),
  ).rejects.toThrow('ledger_transaction_zero');
  await expect(em.execute('update usage_meter_balance set usage = 5')).rejects.toThrow(
    'usage_meter_balance_zero',
  );
});

test('what cannot be recorded counts nothing', async ({ session }) => {
  const user = await aMeteredSubscription(session);
  const event = {
    subscriptionId: user.id,
    usageMeterSlug: user.slug,
    transactionId: 'a',
    amount: '1',
  };
  const bad = { ...event, transactionId: 'b', usageMeterSlug: 'none' };
  await expect(
    recordUsageEvents(fresh(session), { usageEvents: [event, bad] as never }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await entriesOf(session)).toEqual([]);
});
