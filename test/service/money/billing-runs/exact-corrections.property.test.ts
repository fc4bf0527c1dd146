import fc from 'fast-check';
import { expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { costOf, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { OwedUsage } from '#domain/model/metering/owed-usage.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { availableOf, use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const plan = 50;

const amount = fc.integer({ min: 1, max: 100 });
const correction = fc.record({ nth: fc.nat(20), amount: fc.option(amount, { freq: 2 }) });
const fate = fc.oneof(
  { weight: 3, arbitrary: fc.constant('paid' as const) },
  fc.constantFrom('void' as const, 'uncollectible' as const),
  fc.record({ refundedPart: fc.integer({ min: 1, max: 100 }) }),
);
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

/** Prices at which most events cost a part of a minor unit. */
const script = fc.record({
  rate: fc.constantFrom([8, 748], [1, 13], [7, 1_000], [2, 37], [5, 101]),
  tax: fc.constantFrom(null, { taxInclusive: false }, { taxInclusive: true }),
  periods: fc.array(
    fc.record({
      uses: fc.array(amount, { minLength: 1, maxLength: 5 }),
      fate,
      corrections: fc.array(correction, { maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

test('however often usage is corrected, what is billed less what is credited is the rounded cost of what counts', async ({
  database,
}) => {
  const property = fc.asyncProperty(script, async (script) => {
    const { session } = await aTenant(database.orm.em);
    await perform(session, script);
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
  await tried('exact-corrections.property.test.ts', property, { cases: 2, milliseconds: 4_000 });
});

const dayOf = (month: number, day: number) => `2026-${String(month + 1).padStart(2, '0')}-0${day}`;

async function perform(session: Session, { rate, tax, periods }: Script) {
  const [unitPrice = 0, perUnit = 0] = rate;
  if (tax) {
    const organization = { taxType: 'vat', taxRatePercentage: '19', ...tax } as const;
    await updateOrganization(fresh(session), { organization });
  }
  const it = await aBilled(session, { unitPrice, usageEventsPerUnit: perUnit, price: plan });
  const live: { id: string; amount: number; period: number }[] = [];
  for (const [period, { uses, fate, corrections }] of periods.entries()) {
    await it.to(dayOf(period, 5));
    for (const amount of uses) {
      const [event] = await use(session, it, amount);
      live.push({ id: event?.id ?? '', amount, period });
    }
    const fails = fate === 'void' || fate === 'uncollectible';
    if (fails) await it.declines();
    await it.to(dayOf(period + 1, 2));
    await meet(session, (await it.invoices()).at(-1) as Invoice, fate);
    if (fails) await it.pays('sandbox_success');
    for (const { nth, amount } of corrections) {
      const event = live[nth % Math.max(1, live.length)];
      if (!event) continue;
      if (amount === null) {
        await voidEvent(session, event.id);
        live.splice(live.indexOf(event), 1);
      } else {
        event.id = (await it.replace(event.id, amount)).id;
        event.amount = amount;
      }
    }
  }
  await it.to(dayOf(periods.length + 6, 9));
  expect((await availableOf(session, it)) || 0).toBe(0);

  const { em } = fresh(session);
  const lasted = { subscription: it.id };
  const billingPeriods = await em.find(BillingPeriod, lasted, { orderBy: { startDate: 'asc' } });
  const owed = await em.find(OwedUsage, { balance: { subscription: it.id } });
  const costs = periods.map((_, period) => {
    const used = live.reduce((sum, of) => sum + (of.period === period ? of.amount : 0), 0);
    return Number(costOf(unitsOf(String(used)), unitPrice, perUnit));
  });
  const billed = periods.map((_, period) => {
    const id = billingPeriods[period]?.id;
    return owed.reduce((sum, of) => sum + (of.billingPeriodId === id ? (of.amount ?? 0) : 0), 0);
  });
  expect(billed).toEqual(costs);

  const invoices = await it.invoices();
  if (periods.every(({ fate }) => fate === 'paid')) {
    const total = invoices.reduce((sum, { subtotal }) => sum + subtotal, 0);
    expect(total).toBe(billingPeriods.length * plan + costs.reduce((a, b) => a + b, 0));
  }
  for (const { id } of invoices) {
    const { differences } = await explainInvoice(fresh(session), id);
    expect({ id, differences }).toEqual({ id, differences: [] });
  }
}

async function meet(session: Session, { id, status }: Invoice, fate: Fate) {
  if (fate === 'paid') return;
  if (typeof fate === 'string') {
    if (status !== 'open') return;
    await (fate === 'void' ? voidInvoice : markInvoiceUncollectible)(fresh(session), { id });
    return;
  }
  const payment = await fresh(session).em.findOne(Payment, { invoice: id, status: 'succeeded' });
  if (!payment) return;
  const partialAmount = Math.ceil((payment.amount * fate.refundedPart) / 100);
  await refundPayment(fresh(session), { id: payment.id, partialAmount });
}
