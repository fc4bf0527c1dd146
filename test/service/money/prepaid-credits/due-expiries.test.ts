import { expect } from 'vitest';
import type { DueSweep } from '#domain/kernel/for-each-due.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import {
  announcePrepaidExpiries,
  expirePrepaidCredits,
} from '#domain/money/commands/prepaid-credits/expire-prepaid-credits.ts';
import { aCustomer } from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { aPrepaidCredit, creditsOf } from '../../../support/prepaid.ts';
import { test } from '../../../support/test.ts';
import { eventsOf, fresh } from '../../../support/timeline.ts';

const dayMilliseconds = 86_400_000;

test('the jobs announce each expiry once, and expire what has ended', async ({
  session,
  database,
}) => {
  const now = new Date();
  const day = (days: number) => new Date(now.getTime() + days * dayMilliseconds);
  const { id: customerId } = await aCustomer(at(session, now));
  const expiresAt = day(10);
  const { id } = await aPrepaidCredit(session, customerId, { amount: 100, expiresAt });
  await aPrepaidCredit(session, customerId, { amount: 7, expiresAt: day(40) });
  const run = (sweep: DueSweep) =>
    sweep(database.orm.em.fork(), now, 'test', (error) => {
      throw error;
    });
  await run(announcePrepaidExpiries);
  await run(announcePrepaidExpiries);
  const types = (await eventsOf(session, id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'prepaid_credit.expiring')).toHaveLength(1);
  expect(await run(expirePrepaidCredits)).toBe(0);
  await fresh(session).em.nativeUpdate(PrepaidCredit, id, { expiresAt: day(-1) });
  expect(await run(expirePrepaidCredits)).toBe(1);
  expect(await creditsOf(session, customerId)).toEqual(['gift 100: 100 expired', 'gift 7: 7 left']);
});
