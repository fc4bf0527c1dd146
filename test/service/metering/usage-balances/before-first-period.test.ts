import { expect } from 'vitest';
import { aPaymentMethod } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test as base } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  balanceOf,
  billsOf,
  creditsOf,
  grant,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

test('what is used before there is who pays is covered by the first credits, and billed with the first period', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session, { credits: 75, paid: false });
  const [event] = await use(session, user, 100);
  expect(event?.billingPeriodId).toBeNull();
  await aPaymentMethod(session, user.customerId, { default: true });
  expect(await balanceOf(session, user)).toMatchObject({ available: '-25', remaining: '0' });
  await use(session, user, 20);
  await advance(session, user.clockId, '2026-03-01');
  expect(await billsOf(session, user)).toEqual(['45 cost 9, paid']);
  expect(await balanceOf(session, user)).toMatchObject({ available: '75', remaining: '75' });
  await advance(session, user.clockId, '2026-05-01');
  expect(await billsOf(session, user)).toEqual(['45 cost 9, paid']);
  expect((await creditsOf(session, user)).map(({ expired }) => expired)).toEqual([
    '0',
    '75',
    '75',
    '0',
  ]);
});

test('credits that are given when it has been billed are for what comes, and not for that', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session, { paid: false });
  await use(session, user, 100);
  await aPaymentMethod(session, user.customerId, { default: true });
  await advance(session, user.clockId, '2026-03-01');
  expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
  await grant(session, user, 50);
  expect(await balanceOf(session, user)).toMatchObject({ available: '50', remaining: '50' });
});

test('it can be voided before it is billed, and afterwards', async ({ session }) => {
  const user = await aMeteredSubscription(session, { paid: false });
  const [first, second] = await use(session, user, 100, 40, 10);
  await voidEvent(session, first?.id ?? '');
  await aPaymentMethod(session, user.customerId, { default: true });
  await advance(session, user.clockId, '2026-03-01');
  expect(await billsOf(session, user)).toEqual(['50 cost 10, paid']);
  await voidEvent(session, second?.id ?? '');
  await use(session, user, 60);
  await advance(session, user.clockId, '2026-04-01');
  expect(await billsOf(session, user)).toEqual(['50 cost 10, paid', '20 cost 4, paid']);
});
