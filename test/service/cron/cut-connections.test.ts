import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';
import { createPriceMove } from '#domain/subscriptions/commands/price-moves/create-price-move.ts';
import { moveSubscribers } from '#domain/subscriptions/commands/subscription-adjustments/move-subscribers.ts';
import {
  aCustomer,
  aPaymentMethod,
  aPriceOf,
  aSubscription,
  fresh,
} from '../../support/factories.ts';
import { aMailer, aSendingSession, aSentInvoice, mailsOf } from '../../support/mails.ts';
import { aMailServer } from '../../support/outside/mail-server.ts';
import { cutConnections } from '../../support/servers/cuts.ts';
import { testAlone } from '../../support/test.ts';
import { aMeteredSubscription } from '../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** A sweep with the name of a job; returns the failures that it has reported. */
async function sweep(session: Session, job: typeof moveSubscribers | typeof applyAlertRules) {
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  await job(session.em.fork(), await presentOf(session.em), 'sweep', note);
  return failures;
}

async function aMove(session: Session, subscribers: number) {
  const [fromPriceId, toPriceId] = [await aPriceOf(session, {}), await aPriceOf(session, {})];
  for (let nth = 0; nth < subscribers; nth++) {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    await aSubscription(session, { customerId, priceId: fromPriceId });
  }
  const timing = 'immediately' as const;
  const { id } = await createPriceMove(fresh(session), {
    priceMove: { fromPriceId, toPriceId, timing, prorate: false },
  });
  return () => fresh(session).em.findOneOrFail(PriceMove, id);
}

describe('a connection to the database that is cut', () => {
  test('within a price move gives no subscription up, in one sweep or in the next', async ({
    session,
  }) => {
    const present = await aMove(session, 6);
    const { heal } = await cutConnections(session, {
      table: 'subscription_item',
      which: 'n = 2 or n between 5 and 7',
    });
    expect(await sweep(session, moveSubscribers)).toHaveLength(1);
    expect(await present()).toMatchObject({
      status: 'running',
      failedCount: 0,
      problem: 'The database has failed; the log has the reason',
      retryAt: expect.any(Date),
    });
    await sweep(session, moveSubscribers);
    await heal();
    const ended = { status: 'completed', movedCount: 6, failedCount: 0, retryAt: null };
    expect(await present()).toMatchObject({ ...ended, problem: null });
  });

  test('within the pass of an alert rule is no failure of a customer', async ({ session }) => {
    for (let users = 0; users < 4; users++)
      await aMeteredSubscription(session, { usageEventsPerUnit: 1 });
    const { id } = await createAlertRule(fresh(session), {
      alertRule: { kind: 'spend', threshold: '100' },
    });
    await cutConnections(session, { table: 'alert', which: 'n in (2, 4, 5, 6)' });
    const state = () => fresh(session).em.findOneOrFail(AlertRule, id);
    expect(await sweep(session, applyAlertRules)).toHaveLength(1);
    expect(await state()).toMatchObject({ appliedAt: null, failedCustomers: 0, failedPasses: 0 });
    expect(await sweep(session, applyAlertRules)).toEqual([]);
    expect(await state()).toMatchObject({ appliedAt: expect.any(Date), failedPasses: 0 });
    expect(await fresh(session).em.count(Alert, { rule: id })).toBe(4);
  });

  test.for([
    [
      'before a mail server gets the content',
      'old.handed_over_at is null and new.handed_over_at is not null',
    ],
    ['after it has accepted the mail', `new.status = 'sent'`],
  ] as const)(
    '%s sends the mail once, and is no attempt',
    async ([, when], { database: { orm }, session }) => {
      const live = await aSendingSession(session, ['invoice']);
      const server = await aMailServer();
      await aSentInvoice(live);
      await cutConnections(live, { table: 'mail', event: 'update', when, which: 'n < 3' });
      await aMailer(orm, server.url).send();
      expect(server.received).toHaveLength(1);
      expect(await mailsOf(live)).toMatchObject([{ status: 'sent', attemptCount: 1 }]);
    },
  );
});
