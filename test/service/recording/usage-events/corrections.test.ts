// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { fresh } from '../../../support/factories.ts';
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
  type User,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

type Metered = Awaited<ReturnType<typeof aMeteredSubscription>>;

/** Who has 30 credits until 10 February, and it is the 5th. */
async function aUser(session: Session, more: Parameters<typeof aMeteredSubscription>[1] = {}) {
  const user = await aMeteredSubscription(session, more);
  await grant(session, user, 30, { expiresAt: at('2026-02-10') });
  await advance(session, user.clockId, '2026-02-05');
  return user;
}

/** The credits run out: it is 15 February. */
const runOut = (session: Session, { clockId }: Metered) => advance(session, clockId, '2026-02-15');

let count = 0;

const replace = (session: Session, event: UsageEvent | undefined, amount: number) =>
  replaceUsageEvent(fresh(session), {
    id: event?.id ?? '',
    usageEvent: { amount: String(amount), transactionId: `instead-${++count}` },
    reason: 'A mistake',
  });

const expiredOf = async (session: Session, user: User) =>
  (await creditsOf(session, user)).map(({ expired }) => Number(expired));

describe('usage that is voided after the credits that covered it have run out', () => {
  test('frees nothing for what was used since', async ({ session }) => {
    const user = await aUser(session);
    const [event] = await use(session, user, 30);
    await runOut(session, user);
    await use(session, user, 50);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(-50);
    expect(await expiredOf(session, user)).toEqual([30]);
  });

  test('leaves other credits used for what was used since', async ({ session }) => {
    const user = await aUser(session);
    await grant(session, user, 50);
    const [event] = await use(session, user, 30);
    await runOut(session, user);
    await use(session, user, 20);
    await voidEvent(session, event?.id ?? '');
    expect(await balanceOf(session, user)).toMatchObject({ used: '20', available: '30' });
  });

  test('leaves them to what else was used while they were good', async ({ session }) => {
    const user = await aUser(session);
    const [, event] = await use(session, user, 20, 20);
    await runOut(session, user);
    await use(session, user, 5);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(-5);
    expect(await expiredOf(session, user)).toEqual([10]);
  });

  test('gives other credits back what they would have covered alone', async ({ session }) => {
    const user = await aUser(session);
    await grant(session, user, 50);
    const [event] = await use(session, user, 30, 10);
    await runOut(session, user);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(50);
    expect(await expiredOf(session, user)).toEqual([20, 0]);
  });

  test('is not corrected when credits had paid for it and its period has been billed', async ({
    session,
  }) => {
    const user = await aUser(session);
    const [event] = await use(session, user, 30);
    await runOut(session, user);
    await use(session, user, 50);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    await use(session, user, 10);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user)).toEqual(['50 cost 10, paid', '10 cost 2, paid']);
  });

  test('costs the credits nothing when it was used after they had run out', async ({ session }) => {
    const user = await aUser(session);
    await use(session, user, 30);
    await runOut(session, user);
    await grant(session, user, 20, { priority: 0 });
    const [event] = await use(session, user, 20);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(20);
    expect(await expiredOf(session, user)).toEqual([0, 0]);
  });

  /** The usage before and after the credits have run out, and the rest when the first is voided. */
  const meters = [
    ['sum', '100', '80', -80],
    ['count', '100', '80', -1],
    ['max', '100', '80', -80],
    ['max', '80', '100', -100],
    ['last', '100', '80', -80],
    ['count_distinct_properties', '10', '7', -7],
  ] satisfies [(typeof aggregationTypes)[number], string, string, number][];
  for (const [aggregationType, before, after, available] of meters) {
    test(`is as if it had never been: ${aggregationType} of ${before}, then ${after}`, async ({
      session,
    }) => {
      const user = await aUser(session, { aggregationType });
      const properties = { region: 'eu' };
      const [event] = await use(session, user, { amount: before, properties });
      await runOut(session, user);
      await use(session, user, { amount: after, properties });
      await voidEvent(session, event?.id ?? '');
      expect(await availableOf(session, user)).toBe(available);
      expect(await expiredOf(session, user)).toEqual([30]);
    });
  }
});

describe('usage that is replaced after the credits that covered it have run out', () => {
  test('costs nothing more when it becomes less', async ({ session }) => {
    const user = await aUser(session);
    const [event] = await use(session, user, 30);
    await runOut(session, user);
    await replace(session, event, 29);
    expect(await availableOf(session, user)).toBe(0);
    expect(await expiredOf(session, user)).toEqual([1]);
  });

  test('is as if it had been right at once, however often it is replaced', async ({ session }) => {
    const user = await aUser(session);
    const [event] = await use(session, user, 10);
    await runOut(session, user);
    const [since] = await use(session, user, 5, 4);
    const second = await replace(session, event, 40);
    expect(await availableOf(session, user)).toBe(-19);
    await voidEvent(session, since?.id ?? '');
    expect(await availableOf(session, user)).toBe(-14);
    const third = await replace(session, second, 12);
    expect(await availableOf(session, user)).toBe(-4);
    expect(await expiredOf(session, user)).toEqual([18]);
    await voidEvent(session, third.id);
    expect(await availableOf(session, user)).toBe(-4);
    expect(await expiredOf(session, user)).toEqual([30]);
  });

  test('was used after they had run out: they cover nothing of it', async ({ session }) => {
    const user = await aUser(session);
    await use(session, user, 20);
    await runOut(session, user);
    const [event] = await use(session, user, 10);
    await replace(session, event, 9);
    expect(await availableOf(session, user)).toBe(-9);
    expect(await expiredOf(session, user)).toEqual([10]);
  });

  test('has its credits also when its period has been billed', async ({ session }) => {
    const user = await aUser(session, { credits: 50 });
    const [event] = await use(session, user, 90);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['10 cost 2, paid']);
    await replace(session, event, 79);
    expect(await availableOf(session, user)).toBe(50 + 10);
    expect(await expiredOf(session, user)).toEqual([0, 1, 0]);
  });
});
