import fc from 'fast-check';
import { expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { OwedUsage } from '#domain/model/metering/owed-usage.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { expectedAmount, type PriceSketch, usagePrices } from '../../../support/priced.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

/** The plan of each month: later invoices have room for all corrections, with a maximum for a part of them each. */
const planOf = ({ maximumAmount }: PriceSketch) => (maximumAmount ? 400 : 20_000);
const regions = ['eu', 'us', 'asia'];

const matrices: fc.Arbitrary<PriceSketch> = fc.record({
  model: fc.constant('matrix' as const),
  unitPrice: fc.constant(0),
  perUnit: fc.constantFrom(1, 10),
  matrix: fc.record({
    dimensions: fc.constant(['region']),
    cells: fc
      .tuple(fc.constantFrom('3', '0.25', '40'), fc.constantFrom('1', '7.5'))
      .map(([eu, us]) => [
        { values: ['eu'], unitPrice: eu },
        { values: ['us'], unitPrice: us },
      ]),
    otherUnitPrice: fc.constantFrom('0', '2', '50'),
  }),
});

const aUse = fc.record({
  amount: fc.integer({ min: 1, max: 40 }),
  region: fc.constantFrom(...regions),
});
const script = fc.record({
  price: fc.oneof({ weight: 4, arbitrary: usagePrices }, { weight: 1, arbitrary: matrices }),
  credits: fc.constantFrom(undefined, 5, 20, 60),
  oneByOne: fc.boolean(),
  periods: fc.array(
    fc.record({
      uses: fc.array(aUse, { minLength: 1, maxLength: 4 }),
      fate: fc.oneof(
        { weight: 3, arbitrary: fc.constant('paid' as const) },
        fc.constant('void' as const),
        fc.record({ refundedPart: fc.integer({ min: 1, max: 100 }) }),
      ),
      corrections: fc.array(fc.record({ nth: fc.nat(20), by: fc.option(aUse, { freq: 2 }) }), {
        maxLength: 4,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

test('for every model, what is billed less what is credited is the cost of what counts, however it is corrected', async ({
  database,
}) => {
  const property = fc.asyncProperty(script, async (script) => {
    const { session } = await aTenant(database.orm.em);
    await perform(session, script);
    await expectLedgersToAgree(session);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });
  await tried('priced-usage.property.test.ts', property, { cases: 2, milliseconds: 6_000 });
});

const dayOf = (month: number, day: number) => `2026-${String(month + 1).padStart(2, '0')}-0${day}`;

async function perform(session: Session, { price, credits, oneByOne, periods }: Script) {
  const plan = planOf(price);
  const it = await aBilled(session, { price: plan, ...(credits && { credits }) });
  const { unitPrice, perUnit = 1, ...fields } = price;
  const isDerived = ['graduated', 'volume', 'stairstep', 'percentage', 'matrix'];
  await createPrice(fresh(session), {
    price: {
      ...{ type: 'usage', usageMeterId: it.meterId, intervalUnit: 'month', isDefault: true },
      ...{ usageEventsPerUnit: perUnit, ...fields },
      unitPrice: isDerived.includes(fields.model ?? '') ? null : unitPrice,
    },
  });
  const live: { id: string; amount: number; region: string; period: number }[] = [];
  for (const [period, { uses, fate, corrections }] of periods.entries()) {
    await it.to(dayOf(period, 5));
    for (const { amount, region } of uses) {
      const [event] = await use(session, it, { amount: String(amount), properties: { region } });
      live.push({ id: event?.id ?? '', amount, region, period });
    }
    if (fate === 'void') await it.declines();
    if (oneByOne) for (const day of [6, 7, 9]) await it.to(dayOf(period, day));
    await it.to(dayOf(period + 1, 2));
    await meet(session, (await it.invoices()).at(-1) as Invoice, fate);
    if (fate === 'void') await it.pays('sandbox_success');
    for (const { nth, by } of corrections) {
      const event = live[nth % Math.max(1, live.length)];
      if (!event) continue;
      if (by === null) {
        await voidEvent(session, event.id);
        live.splice(live.indexOf(event), 1);
      } else {
        event.id = (
          await it.replace(event.id, by.amount, { properties: { region: by.region } })
        ).id;
        Object.assign(event, by);
      }
    }
  }
  await it.to(dayOf(periods.length + 6, 9));

  const { em } = fresh(session);
  const lasted = { subscription: it.id };
  const billingPeriods = await em.find(BillingPeriod, lasted, { orderBy: { startDate: 'asc' } });
  const owed = await em.find(OwedUsage, { balance: { subscription: it.id } });
  const costs = periods.map((_, period) => {
    const of = live.filter((event) => event.period === period);
    const used = of.reduce((sum, { amount }) => sum + amount, 0);
    const cells = Object.fromEntries(
      regions.map((region) => [
        JSON.stringify([region]),
        String(of.reduce((sum, event) => sum + (event.region === region ? event.amount : 0), 0)),
      ]),
    );
    return expectedAmount(
      price,
      String(used),
      String(Math.min(credits ?? 0, used)),
      cells,
      of.length,
    );
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
    const { differences, lines } = await explainInvoice(fresh(session), id);
    expect({ id, differences }).toEqual({ id, differences: [] });
    for (const { lineItem } of lines) {
      if (!lineItem.priceParts) continue;
      const sum = lineItem.priceParts.reduce((sum, { amount }) => sum + amount, 0);
      expect(sum).toBe(lineItem.amount);
    }
  }
}

type Fate = Script['periods'][number]['fate'];

async function meet(session: Session, { id, status }: Invoice, fate: Fate) {
  if (fate === 'paid') return;
  if (fate === 'void') {
    if (status === 'open') await voidInvoice(fresh(session), { id });
    return;
  }
  const payment = await fresh(session).em.findOne(Payment, { invoice: id, status: 'succeeded' });
  if (!payment) return;
  const partialAmount = Math.ceil((payment.amount * fate.refundedPart) / 100);
  await refundPayment(fresh(session), { id: payment.id, partialAmount });
}
