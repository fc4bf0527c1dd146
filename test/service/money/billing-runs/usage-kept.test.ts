// @module-tag long
import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPriceOf, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test as base } from '../../../support/test.ts';
import { availableOf, use, voidEvent } from '../../../support/usage.ts';
import { aBilled, type Billed } from '../../../support/usage-invoices.ts';

/** Ledgers, money records and explanations agree at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(async () => {
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
    for (const { id } of await fresh(session).em.find(Invoice, {})) {
      const { verified, differences } = await explainInvoice(fresh(session), id);
      expect({ id, verified, differences }).toEqual({ id, verified: true, differences: [] });
    }
  });
});

const undone = {
  refunded: (it: Billed) => it.refund(),
  void: async (it: Billed) => {
    await it.void();
    await it.pays('sandbox_success');
  },
  uncollectible: async (it: Billed) => {
    await it.writeOffInvoice();
    await it.pays('sandbox_success');
  },
} as const;

describe('usage that was billed on an invoice of which nothing has been kept', () => {
  for (const [status, undo] of Object.entries(undone)) {
    for (const next of [51, 120]) {
      test(`is set off against nothing: ${next} units after an invoice that is ${status} cost in full`, async ({
        session,
      }) => {
        const it = await aBilled(session);
        const [event] = await use(session, it, 81);
        if (status !== 'refunded') await it.declines();
        await it.to('2026-02-02');
        await undo(it);
        await voidEvent(session, event?.id ?? '');
        await use(session, it, next);
        await it.to('2026-03-02');
        expect(await it.bills()).toEqual([
          '2000 paid',
          `10100 ${status}`,
          `${2_000 + next * 100} paid`,
        ]);
        expect(await it.credit()).toBe(0);
        expect(await availableOf(session, it)).toBe(0);
      });
    }
  }

  test('costs again only what a replacement adds, and credits only that', async ({ session }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 81);
    await it.to('2026-02-02');
    await it.refund();
    const dearer = await it.replace(event?.id, 100);
    await it.to('2026-03-02');
    await voidEvent(session, dearer.id);
    await it.to('2026-04-02');
    expect(await it.bills()).toEqual([
      '2000 paid',
      '10100 refunded',
      `${2_000 + 1_900} paid`,
      `${2_000 - 1_900} paid`,
    ]);
    expect(await availableOf(session, it)).toBe(0);
  });
});

describe('usage that was billed on an invoice of which a part has been kept', () => {
  test('is set off up to that part', async ({ session }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 81);
    await it.to('2026-02-02');
    await it.refund(10_000);
    await voidEvent(session, event?.id ?? '');
    await use(session, it, 51);
    await it.to('2026-03-02');
    expect((await it.totals()).filter(Boolean)).toEqual([2_000, 10_100, 7_000]);
    expect(await availableOf(session, it)).toBe(0);
  });

  test('is set off up to that part also in several corrections', async ({ session }) => {
    const it = await aBilled(session);
    const events = await use(session, it, 41, 40);
    await it.to('2026-02-02');
    await it.refund(5_100);
    for (const { id } of events) {
      await voidEvent(session, id);
      await it.to(id === events[0]?.id ? '2026-03-02' : '2026-05-02');
    }
    expect((await it.totals()).filter(Boolean)).toEqual([2_000, 10_100, 1_000]);
    await it.to('2026-06-02');
    expect((await it.totals()).at(-1)).toBe(2_000);
  });

  for (const [tax, left] of [
    [false, 1],
    [true, 1],
    [false, 2_000],
    [true, 2_000],
  ] as const) {
    test(`goes to the credit balance up to that part: ${left}${tax ? ', with tax' : ''}`, async ({
      session,
    }) => {
      if (tax) {
        const organization = { taxType: 'vat', taxRatePercentage: '20' } as const;
        await updateOrganization(fresh(session), { organization });
      }
      const it = await aBilled(session);
      const [event] = await use(session, it, 45);
      await it.to('2026-01-15');
      await it.cancel();
      await it.to('2026-01-16');
      await it.refund((tax ? 5_400 : 4_500) - left);
      await voidEvent(session, event?.id ?? '');
      expect(await it.credit()).toBe(left);
      expect(await availableOf(session, it)).toBe(0);
    });
  }
});

describe('usage that is on an invoice that is still to be paid', () => {
  async function anEndedThatOwes(session: Parameters<typeof aBilled>[0]) {
    const it = await aBilled(session);
    const [event] = await use(session, it, 45);
    await it.declines();
    await it.to('2026-01-15');
    await it.cancel();
    await it.to('2026-01-16');
    await voidEvent(session, event?.id ?? '');
    expect(await it.bills()).toEqual(['2000 paid', '4500 open']);
    expect(await it.credit()).toBe(0);
    return it;
  }

  test('brings nothing when that becomes void after the end', async ({ session }) => {
    const it = await anEndedThatOwes(session);
    await it.void();
    expect(await it.credit()).toBe(0);
    expect(await availableOf(session, it)).toBe(0);
  });

  test('brings nothing when that becomes uncollectible, and then void, after the end', async ({
    session,
  }) => {
    const it = await anEndedThatOwes(session);
    const { id } = await it.writeOffInvoice();
    await voidInvoice(fresh(session), { id });
    expect(await it.credit()).toBe(0);
    expect(await availableOf(session, it)).toBe(0);
  });

  test('goes to the credit balance when that is paid after the end, once', async ({ session }) => {
    const it = await anEndedThatOwes(session);
    const method = await it.pays('sandbox_success');
    const open = (await it.invoices()).find(({ status }) => status === 'open');
    await payInvoice(fresh(session), { id: open?.id ?? '', paymentMethodId: method.id });
    expect(await it.credit()).toBe(4_500);
    expect(await availableOf(session, it)).toBe(0);
    await it.to('2026-03-01');
    expect(await it.credit()).toBe(4_500);
  });

  test('is set off only once that is paid', async ({ session }) => {
    // The invoice of February is tried again after that of March has been written.
    await updateOrganization(fresh(session), { organization: { dunningRetryDays: [40] } });
    const it = await aBilled(session);
    const [event] = await use(session, it, 5);
    await it.declines();
    await it.to('2026-02-02');
    await voidEvent(session, event?.id ?? '');
    await it.to('2026-03-02');
    expect(await it.bills()).toEqual(['2000 paid', '2500 open', '2000 open']);
    await it.pays('sandbox_success');
    await it.to('2026-04-02');
    expect(await it.bills()).toEqual(['2000 paid', '2500 paid', '2000 paid', '1500 paid']);
    expect(await availableOf(session, it)).toBe(0);
  });

  test('is written off once that is void', async ({ session }) => {
    await updateOrganization(fresh(session), { organization: { dunningRetryDays: [40] } });
    const it = await aBilled(session);
    const [event] = await use(session, it, 5);
    await it.declines();
    await it.to('2026-02-02');
    await voidEvent(session, event?.id ?? '');
    await it.void();
    await it.pays('sandbox_success');
    await it.to('2026-03-02');
    expect(await it.bills()).toEqual(['2000 paid', '2500 void', '2000 paid']);
    expect(await availableOf(session, it)).toBe(0);
  });
});

describe('what an invoice has set off', () => {
  test('goes to the credit balance when it becomes void, also next to new usage', async ({
    session,
  }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 10);
    await it.to('2026-02-02');
    await voidEvent(session, event?.id ?? '');
    await use(session, it, 25);
    await it.declines();
    await it.to('2026-03-02');
    expect(await it.bills()).toEqual(['2000 paid', '3000 paid', '3500 open']);
    await it.void();
    expect(await it.credit()).toBe(1_000);
  });

  test('is kept of it when its payment is refunded', async ({ session }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 10);
    await it.to('2026-02-02');
    await voidEvent(session, event?.id ?? '');
    const [next] = await use(session, it, 6);
    await it.to('2026-03-02');
    await it.refund();
    await voidEvent(session, next?.id ?? '');
    await it.to('2026-04-02');
    expect(await it.bills()).toEqual(['2000 paid', '3000 paid', '1600 refunded', '1400 paid']);
  });
});

describe('a correction of more than the total of an invoice that has set off something', () => {
  test('is credited in full when that is paid', async ({ session }) => {
    const it = await aBilled(session);
    const [first] = await use(session, it, 7);
    await it.to('2026-02-02');
    await voidEvent(session, first?.id ?? '');
    const [second] = await use(session, it, 13);
    await it.declines();
    await it.cancel();
    await it.to('2026-02-03');
    expect(await it.bills()).toEqual(['2000 paid', '2700 paid', '600 open']);
    await it.replace(second?.id, 6);
    const { id: paymentMethodId } = await it.pays('sandbox_success');
    const [open] = await fresh(session).em.find(Invoice, { subscription: it.id, status: 'open' });
    await payInvoice(fresh(session), { id: open?.id ?? '', paymentMethodId });
    expect(await it.credit()).toBe(700);
  });
});

describe('the last invoice of a subscription', () => {
  for (const [had, used, paid, left] of [
    [8_000, 15, 0, 6_500],
    [8_000, 80, 0, 0],
    [8_000, 100, 2_000, 0],
  ] as const) {
    test(`uses the credit balance: ${used} units with ${had} leave ${left}`, async ({
      session,
    }) => {
      await updateOrganization(fresh(session), { organization: { prorationCredit: 'balance' } });
      const it = await aBilled(session, { price: 9_000 });
      const priceId = await aPriceOf(session, { unitPrice: 1_000 });
      const newSubscriptionItems = [{ priceId }];
      await it.to('2026-01-01');
      await adjustSubscription(fresh(session), {
        id: it.id,
        adjustment: { timing: 'immediately', newSubscriptionItems },
      });
      expect(await it.credit()).toBe(had);
      await use(session, it, used);
      await cancelSubscription(fresh(session), {
        id: it.id,
        cancellation: { timing: 'at_end_of_current_billing_period' },
      });
      await it.to('2026-02-02');
      const last = (await it.invoices()).at(-1);
      expect(last).toMatchObject({ status: 'paid', total: used * 100, creditApplied: had - left });
      expect(await it.credit()).toBe(left);
      const payments = await fresh(session).em.find(Payment, { invoice: last?.id ?? '' });
      expect(payments.map(({ amount }) => amount)).toEqual(paid ? [paid] : []);
    });
  }

  test('is charged for every correction that makes its usage dearer, however soon', async ({
    session,
  }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 45);
    await it.to('2026-01-15');
    await it.cancel();
    const second = await it.replace(event?.id, 100);
    await it.replace(second.id, 101);
    await it.to('2026-01-16');
    expect(await it.bills()).toEqual(['2000 paid', '4500 paid', '5500 paid', '100 paid']);
    expect(await availableOf(session, it)).toBe(0);
  });

  test('is charged for what a correction adds after it has been paid', async ({ session }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 45);
    await it.to('2026-01-15');
    await it.cancel();
    await it.to('2026-01-16');
    await it.replace(event?.id, 100);
    await it.to('2026-01-17');
    expect(await it.bills()).toEqual(['2000 paid', '4500 paid', '5500 paid']);
  });
});

test('the invoices of a subscription state their purpose, and so do the runs that collect them', async ({
  session,
}) => {
  const it = await aBilled(session);
  const [event] = await use(session, it, 45);
  await it.to('2026-01-15');
  await it.cancel();
  await it.to('2026-01-16');
  await voidEvent(session, event?.id ?? '');
  const invoices = await it.invoices();
  expect(invoices.map(({ purpose }) => purpose)).toEqual([
    'period',
    'last_usage',
    'usage_correction',
  ]);
  const runs = await fresh(session).em.find(BillingRun, { subscription: it.id });
  expect(new Set(runs.map(({ invoiceId, purpose }) => `${invoiceId} ${purpose}`))).toEqual(
    new Set(invoices.slice(0, 2).map(({ id, purpose }) => `${id} ${purpose}`)),
  );
});
