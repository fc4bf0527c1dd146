// @module-tag long
import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { commitmentTerm } from '#domain/subscriptions/commands/subscriptions/commitment-term.ts';
import { endCommitment } from '#domain/subscriptions/commands/subscriptions/end-commitment.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { setCommitment } from '#domain/subscriptions/commands/subscriptions/set-commitment.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { anEndable } from '../../../support/records/ends.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh, subscriptionOf } from '../../../support/timeline.ts';
import { aMeteredSubscription, use, voidEvent } from '../../../support/usage.ts';

type Input = Parameters<typeof setCommitment>[1];

/** A subscription at 10.00 a month, with usage at 1 minor unit each, on a clock at January 1. */
const aSubscription = (session: Session, more: { discountCode?: string } = {}) =>
  aMeteredSubscription(session, {
    unitPrice: 1,
    usageEventsPerUnit: 1,
    from: '2026-01-01',
    ...more,
  });

const commit = (session: Session, id: string, commitment: Input['commitment'], more = {}) =>
  setCommitment(fresh(session), { id, commitment, ...more });

/** The lines of each invoice of a subscription but the plan, the oldest first: `usage 600, commitment 400`. */
async function billsOf(session: Session, id: string): Promise<string[]> {
  const { em } = fresh(session);
  const invoices = await em.find(
    Invoice,
    { subscription: id },
    { orderBy: { invoiceNumber: 'asc' } },
  );
  const lines = await em.find(
    InvoiceLineItem,
    { invoice: { subscription: id }, type: { $ne: 'static' } },
    { orderBy: { position: 'asc' } },
  );
  return invoices.map((invoice) =>
    lines
      .filter((line) => line.invoice.id === invoice.id)
      .map(({ type, amount }) => `${type} ${amount}`)
      .join(', '),
  );
}

/** Everything about money and usage agrees, and every invoice explains its amounts. */
async function expectAgreement(session: Session, id: string) {
  await expectMoneyToAgree(fresh(session));
  await expectLedgersToAgree(fresh(session));
  for (const invoice of await fresh(session).em.find(Invoice, { subscription: id })) {
    const { differences } = await explainInvoice(fresh(session), invoice.id);
    expect(differences).toEqual([]);
  }
}

describe('a commitment', () => {
  test('charges what usage has not reached in its period, and nothing where usage has', async ({
    session,
  }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 1_000 });
    await use(session, user, 600);
    await advance(session, user.clockId, '2026-02-01');
    await use(session, user, 1_500);
    await advance(session, user.clockId, '2026-03-01');
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user.id)).toEqual([
      '',
      'usage 600, commitment 400',
      'usage 1500',
      'commitment 1000',
    ]);
    await expectAgreement(session, user.id);
  });

  test('with the plan among what counts charges only the rest', async ({ session }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 2_500, counts: 'all' });
    await use(session, user, 600);
    await advance(session, user.clockId, '2026-02-01');
    expect(await billsOf(session, user.id)).toEqual(['', 'usage 600, commitment 900']);
    const [, second] = await fresh(session).em.find(
      Invoice,
      { subscription: user.id },
      { orderBy: { invoiceNumber: 'asc' } },
    );
    const explained = await explainInvoice(fresh(session), second?.id ?? '');
    expect(explained.lines.at(-1)?.steps).toEqual([
      'from 2026-01-01T10:00:00.000Z to 2026-02-01T10:00:00.000Z',
      'committed: USD 25.00 × (1), rounded half up = USD 25.00',
      'reached, before discounts: usage USD 6.00 + plan USD 10.00',
      'difference: USD 9.00',
      'billed here: USD 9.00',
    ]);
    await expectAgreement(session, user.id);
  });

  test('of a year that is reckoned each month charges ahead, and later usage reduces that', async ({
    session,
  }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 12_000, interval: 'year', trueUp: 'each_period' });
    await advance(session, user.clockId, '2026-02-01');
    await use(session, user, 3_500);
    await advance(session, user.clockId, '2026-03-01');
    await use(session, user, 200);
    await advance(session, user.clockId, '2027-01-01');
    expect(await billsOf(session, user.id)).toEqual([
      '',
      'commitment 1000',
      'usage 3500, commitment -1000',
      'usage 200',
      'commitment 300',
      ...Array.from({ length: 8 }, () => 'commitment 1000'),
    ]);
    await expectAgreement(session, user.id);
  });

  test('counts the price of a period for it, also where the change that began it charged that', async ({
    session,
  }) => {
    const it = await anEndable(session, { unitPrice: 3_000 });
    const longer = await aPriceOf(it.fresh(), {
      unitPrice: 8_640,
      intervalUnit: 'day',
      intervalCount: 90,
    });
    const commitment = {
      amount: 8_640,
      interval: 'day',
      intervalCount: 90,
      counts: 'all',
    } as const;
    await commit(it.fresh(), it.id, commitment);
    await it.toDay(15);
    await it.adjust([{ priceId: longer }]);
    const term = async () => commitmentTerm(it.fresh(), await it.current());
    expect(await term()).toMatchObject({ committed: 8_640, reached: 8_640, missing: 0 });
    await it.toDay(106);
    expect(await billsOf(it.fresh(), it.id)).toEqual(['', '', '']);
    expect(await term()).toMatchObject({ committed: 8_640, reached: 8_640, missing: 0 });
    await it.cancel({ timing: 'immediately', credit: 'refund' });
    // 1 of 90 days was used, and is committed: nothing is missing.
    expect(await billsOf(it.fresh(), it.id)).toEqual(['', '', '']);
    await expectAgreement(it.fresh(), it.id);
  });

  test('does not count the price of a new period for the one before', async ({ session }) => {
    const it = await anEndable(session, { unitPrice: 3_000 });
    const commitment = {
      amount: 12_000,
      interval: 'day',
      intervalCount: 90,
      counts: 'all',
    } as const;
    await commit(it.fresh(), it.id, commitment);
    await it.toDay(15);
    // The same price for a longer period: the part that was used is charged, and the whole new period.
    const longer = await aPriceOf(it.fresh(), {
      unitPrice: 3_000,
      intervalUnit: 'day',
      intervalCount: 45,
    });
    await it.adjust([{ priceId: longer }]);
    await it.toDay(106);
    // 15 of 90 days commit 2,000, of which 1,500 were reached; the new term has 2 periods.
    expect(await billsOf(it.fresh(), it.id)).toEqual(['', '', 'commitment 500', 'commitment 6000']);
    await expectAgreement(it.fresh(), it.id);
  });

  test('of a year is charged at its end, and the next year counts anew', async ({ session }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 12_000, interval: 'year' });
    await use(session, user, 5_000);
    const upcoming = await upcomingInvoice(fresh(session), user.id);
    expect(upcoming?.lines.map(({ amount }) => amount)).toEqual([1_000, 5_000]);
    await advance(session, user.clockId, '2026-12-15');
    expect(await upcomingInvoice(fresh(session), user.id)).toMatchObject({
      invoice: { total: 8_000 },
    });
    await advance(session, user.clockId, '2027-02-01');
    expect(await billsOf(session, user.id)).toEqual([
      '',
      'usage 5000',
      ...Array.from({ length: 10 }, () => ''),
      'commitment 7000',
      '',
    ]);
    const term = await commitmentTerm(fresh(session), await subscriptionOf(session, user.id));
    expect(term).toMatchObject({ periods: 12, begun: 2, committed: 2_000, reached: 0 });
    await expectAgreement(session, user.id);
  });

  test('is charged for the part of a period until a cancellation', async ({ session }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 3_100 });
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-01-11');
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    await advance(session, user.clockId, '2026-03-11');
    // Ten of 31 days.
    expect(await billsOf(session, user.id)).toEqual(['', 'usage 100, commitment 900']);
    await expectAgreement(session, user.id);
  });

  test('of one that never begins is not charged', async ({ session }) => {
    const user = await aMeteredSubscription(session, { paid: false, from: '2026-01-01' });
    await commit(session, user.id, { amount: 3_100 });
    await advance(session, user.clockId, '2026-01-11');
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'immediately' },
    });
    expect(await billsOf(session, user.id)).toEqual([]);
  });

  test('does not count a pause: its term has the same number of periods', async ({ session }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 3_000, interval: 'month', intervalCount: 3 });
    await advance(session, user.clockId, '2026-01-15');
    await pauseSubscription(fresh(session), { id: user.id, pause: { timing: 'immediately' } });
    await advance(session, user.clockId, '2026-05-01');
    await resumeSubscription(fresh(session), { id: user.id });
    await use(session, user, 700);
    await advance(session, user.clockId, '2026-06-15');
    expect((await billsOf(session, user.id)).join('')).toBe('usage 700');
    await advance(session, user.clockId, '2026-07-01');
    expect((await billsOf(session, user.id)).at(-1)).toBe('commitment 2300');
    await expectAgreement(session, user.id);
  });

  test('follows corrections: their sum stays what is committed, until usage exceeds it', async ({
    session,
  }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 1_000 });
    const [kept, voided] = await use(session, user, 400, 200);
    await advance(session, user.clockId, '2026-02-01');
    await voidEvent(session, voided?.id ?? '');
    await advance(session, user.clockId, '2026-03-01');
    await replaceUsageEvent(fresh(session), {
      id: kept?.id ?? '',
      usageEvent: { transactionId: 'more', amount: '1200' },
      reason: 'A mistake',
    } as never);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user.id)).toEqual([
      '',
      'usage 600, commitment 400',
      'usage -200, commitment 200, commitment 1000',
      'usage 800, commitment -200, commitment -400, commitment 1000',
    ]);
    await expectAgreement(session, user.id);
  });

  test('follows corrections after the end of the subscription', async ({ session }) => {
    const user = await aSubscription(session);
    await commit(session, user.id, { amount: 1_000 });
    const [kept, voided] = await use(session, user, 400, 200);
    await advance(session, user.clockId, '2026-01-31');
    await cancelSubscription(fresh(session), {
      id: user.id,
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    await advance(session, user.clockId, '2026-02-02');
    await voidEvent(session, voided?.id ?? '');
    await advance(session, user.clockId, '2026-02-03');
    await replaceUsageEvent(fresh(session), {
      id: kept?.id ?? '',
      usageEvent: { transactionId: 'more', amount: '1200' },
      reason: 'A mistake',
    } as never);
    await advance(session, user.clockId, '2026-02-04');
    expect(await billsOf(session, user.id)).toEqual([
      '',
      'usage 600, commitment 400',
      'usage -200, commitment 200',
      'usage 800, commitment -200, commitment -400',
    ]);
    await expectAgreement(session, user.id);
  });

  test('that is replaced or ended is reckoned with the periods that it has had', async ({
    session,
  }) => {
    const user = await aSubscription(session);
    const { id } = user;
    await commit(session, id, { amount: 12_000, interval: 'year' });
    await advance(session, user.clockId, '2026-02-15');
    await commit(
      session,
      id,
      { amount: 500 },
      { timing: 'at_end_of_current_billing_period' as const },
    );
    await advance(session, user.clockId, '2026-04-15');
    await endCommitment(fresh(session), { id, timing: 'immediately' });
    await advance(session, user.clockId, '2026-06-15');
    expect(await billsOf(session, id)).toEqual([
      '',
      '',
      'commitment 2000',
      'commitment 500',
      '',
      '',
    ]);
    await expectAgreement(session, id);
  });

  test('is refused where nothing is charged, and for a term that periods do not fill', async ({
    session,
  }) => {
    const { id } = await aSubscription(session);
    const refused = (path: string, message: string) => ({
      issues: [{ path: path.split('.'), message: expect.stringContaining(message) }],
    });
    await expect(
      commit(session, id, { amount: 1, interval: 'week', intervalCount: 5 }),
    ).rejects.toMatchObject(
      refused('commitment.interval', 'must be a multiple of the billing interval, 1 month'),
    );
    await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
    await expect(commit(session, id, { amount: 1 })).rejects.toMatchObject(
      refused('id', 'is canceled'),
    );
  });
});
