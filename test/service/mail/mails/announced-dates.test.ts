import { describe, expect } from 'vitest';
import type { OnFailure } from '#domain/kernel/failures.ts';
import type { Session } from '#domain/kernel/session.ts';
import { updateMailSettings } from '#domain/mail/commands/mails/update-mail-settings.ts';
import { Event } from '#domain/model/platform/event.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { announceExpiries } from '#domain/money/commands/payment-methods/announce-expiries.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { announceDueDates } from '#domain/subscriptions/commands/subscriptions/announce-due-dates.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import {
  aCustomer,
  aPaymentMethod,
  aPriceOf,
  aTestClock,
  fresh,
} from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { aMailer, mailsOf } from '../../../support/mails.ts';
import { aPrepaidCredit } from '../../../support/prepaid.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const start = new Date('2026-01-31T10:00:00Z');
const dayMilliseconds = 86_400_000;
const day = (days: number) => new Date(start.getTime() + days * dayMilliseconds);
const fail: OnFailure = (error) => {
  throw error;
};

/** The events that announce dates, as `type of the day`, in the order of the feed. */
async function announced(session: Session): Promise<string[]> {
  const { em } = fresh(session);
  await sequenceEvents(em);
  const types = [
    'subscription.trial_ending',
    'subscription.renewal_upcoming',
    'payment_method.expiring',
  ];
  const events = await em.find(
    Event,
    { type: { $in: types as never } },
    { orderBy: { sequence: 'asc' } },
  );
  return events.map(({ type, data, occurredAt }) => {
    const date = new Date(data.announcedFor as number);
    const days = (date.getTime() - occurredAt.getTime()) / dayMilliseconds;
    return `${type} ${date.toISOString().slice(0, 10)} ${Math.ceil(days)}`;
  });
}

describe('a test clock', () => {
  test('announces the end of a trial and each yearly charge once, at its time, with mails', async ({
    database: { orm },
    session,
  }) => {
    await updateMailSettings(fresh(session), {
      mailSettings: { trialEndingDays: 2, renewalDays: 30 },
    });
    const clock = await aTestClock(session, start);
    const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
    await aPaymentMethod(session, customerId);
    const priceId = await aPriceOf(session, { unitPrice: 12_000, intervalUnit: 'year' });
    await createSubscription(fresh(session), {
      customerId,
      priceId,
      name: 'Pro',
      trialEnd: day(14),
    });
    const to = (days: number) =>
      advanceTestClock(fresh(session), { id: clock.id, frozenTime: day(days) });
    await to(11);
    expect(await announced(session)).toEqual([]);
    await to(12);
    expect(await announced(session)).toEqual(['subscription.trial_ending 2026-02-14 2']);
    await aMailer(orm).send();
    const [mail] = await mailsOf(session);
    expect(mail).toMatchObject({
      kind: 'trial_ending',
      status: 'caught',
      subject: 'Your trial of Pro ends on February 14, 2026',
    });
    expect(mail?.text).toContain('Then you pay $120.00.');
    await to(14 + 2 * 365);
    expect(await announced(session)).toEqual([
      'subscription.trial_ending 2026-02-14 2',
      'subscription.renewal_upcoming 2027-02-14 30',
      'subscription.renewal_upcoming 2028-02-14 30',
    ]);
    await aMailer(orm).send();
    const renewals = (await mailsOf(session)).filter(({ kind }) => kind === 'renewal_upcoming');
    expect(renewals.map(({ subject }) => subject)).toEqual([
      'Your subscription Pro renews on February 14, 2027',
      'Your subscription Pro renews on February 14, 2028',
    ]);
  });

  test('announces the expiry of a card that is charged, and no charge of a canceled or monthly plan', async ({
    database: { orm },
    session,
  }) => {
    const clock = await aTestClock(session, start);
    const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
    await aPaymentMethod(session, customerId, { token: 'sandbox_card_expiring' });
    const yearly = await aPriceOf(session, { intervalUnit: 'year' });
    const { id } = await createSubscription(fresh(session), { customerId, priceId: yearly });
    await cancelSubscription(fresh(session), {
      id,
      cancellation: { timing: 'at_end_of_current_billing_period' },
    } as never);
    const to = (days: number) =>
      advanceTestClock(fresh(session), { id: clock.id, frozenTime: day(days) });
    await to(0.1);
    expect(await announced(session)).toEqual(['payment_method.expiring 2026-02-01 1']);
    await to(370);
    const monthly = await aPriceOf(session, { intervalUnit: 'month' });
    await createSubscription(fresh(session), { customerId, priceId: monthly });
    await to(500);
    expect(await announced(session)).toHaveLength(1);
    await aMailer(orm).send();
    expect((await mailsOf(session)).find(({ kind }) => kind === 'card_expiring')?.text).toContain(
      'Your payment method Sandbox 4242 expires at the end of January 2026.',
    );
  });

  test('warns of the prepaid credit that the customer is going to lose, in its language', async ({
    database: { orm },
    session,
  }) => {
    const clock = await aTestClock(session, start);
    const { id: customerId } = await aCustomer(session, { testClockId: clock.id, language: 'de' });
    const terms = { amount: 10_000, validDays: 30, rollovers: 1, rolloverLimit: 6_000 };
    const { id } = await aPrepaidCredit(session, customerId, terms);
    await advanceTestClock(fresh(session), { id: clock.id, frozenTime: day(20) });
    await sequenceEvents(fresh(session).em);
    await aMailer(orm).send();
    const [mail, ...others] = await mailsOf(session);
    expect([mail, others]).toMatchObject([
      {
        kind: 'prepaid_expiring',
        status: 'caught',
        customerId,
        objectId: id,
        subject: 'Ihr Guthaben verfällt am 2. März 2026',
        text: expect.stringMatching(/^40,00\s\$ Ihres Guthabens verfallen am 2\. März 2026\./m),
      },
      [],
    ]);
    // The mail states the announced amount, also where the clock has passed the expiry.
    await advanceTestClock(fresh(session), { id: clock.id, frozenTime: day(90) });
    await sequenceEvents(fresh(session).em);
    await aMailer(orm).send();
    const last = (await mailsOf(session)).find(({ id }) => id !== mail?.id);
    expect(last?.text).toMatch(/^60,00\s\$ Ihres Guthabens verfallen am 1\. April 2026\./m);
  });
});

test('real time announces each date once, however many jobs run at a time', async ({
  database: { orm },
  session,
}) => {
  const now = new Date();
  const soon = new Date(now.getTime() + 2 * dayMilliseconds);
  const then = at(session, now);
  const { id: customerId } = await aCustomer(then);
  const { id: cardId } = await aPaymentMethod(then, customerId);
  await createSubscription(at(session, now), {
    customerId,
    priceId: await aPriceOf(then, {}),
    trialEnd: soon,
  });
  await fresh(session).em.nativeUpdate(PaymentMethod, cardId, { expiresOn: soon });
  const em = () => orm.em.fork();
  for (let round = 0; round < 2; round++) {
    await Promise.all(
      [1, 2, 3].flatMap(() => [
        announceDueDates(em(), now, 'announce-dates', fail),
        announceExpiries(em(), now, 'announce-dates', fail),
      ]),
    );
  }
  const found = (await announced(session)).toSorted();
  const date = soon.toISOString().slice(0, 10);
  expect(found).toEqual([
    `payment_method.expiring ${date} 2`,
    `subscription.trial_ending ${date} 2`,
  ]);
  // A later date is another one.
  const later = new Date(soon.getTime() + dayMilliseconds);
  await fresh(session).em.nativeUpdate(PaymentMethod, cardId, { expiresOn: later });
  await announceExpiries(em(), now, 'announce-dates', fail);
  expect(await announced(session)).toHaveLength(3);
});
