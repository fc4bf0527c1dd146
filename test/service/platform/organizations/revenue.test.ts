// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  finalizeInvoice,
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { updateInvoice } from '#domain/invoicing/commands/invoices/update-invoice.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { monthly, revenueTotals } from '#domain/platform/commands/organizations/revenue-totals.ts';
import { deleteTestClock } from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aCustomer, aDraft, aPaymentMethod, aTestClock } from '../../../support/factories.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** The same caller on another day. */
const onDay = ({ em, apiKeyId, ...scope }: Session, day: number) =>
  openSession(em, { ...scope, now: new Date(Date.UTC(2026, 0, 1 + day, 23, 59)) }, apiKeyId);

const counted = ({ em, pricingModelId }: Session) =>
  em.fork().execute(
    `select day::text, sum(invoiced)::int as invoiced, sum(paid)::int as paid, sum(refunded)::int as refunded
     from revenue_day where pricing_model_id = ? and currency = 'USD' group by 1
     having sum(invoiced) <> 0 or sum(paid) <> 0 or sum(refunded) <> 0 order by 1`,
    [pricingModelId],
  );

/** The same from the tables themselves. */
const added = ({ em, pricingModelId }: Session) =>
  em.fork().execute(
    `select (at at time zone 'UTC')::date::text as day,
       sum(invoiced)::int as invoiced, sum(paid)::int as paid, sum(refunded)::int as refunded
     from (
       select pricing_model_id, invoice_date as at, total as invoiced, 0 as paid, 0 as refunded
         from invoice where status not in ('draft', 'void')
       union all select pricing_model_id, settlement_date, 0, amount, 0
         from payment where status in ('succeeded', 'refunded')
       union all select pricing_model_id, updated_at, 0, 0, amount from refund where status = 'succeeded'
     ) as parts where pricing_model_id = ? group by 1
     having sum(invoiced) <> 0 or sum(paid) <> 0 or sum(refunded) <> 0 order by 1`,
    [pricingModelId],
  );

const sum = async ({ em, pricingModelId }: Session, expression: string, from: string) => {
  const sql = `select coalesce(sum(${expression}), 0)::int as sum from ${from} and pricing_model_id = ?`;
  const [row] = await em.fork().execute<{ sum: number }[]>(sql, [pricingModelId]);
  return row?.sum;
};

const verbs = ['date', 'finalize', 'pay', 'pay', 'refund', 'part', 'void', 'give up'] as const;
const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(...verbs),
    invoice: fc.nat({ max: 5 }),
    day: fc.nat({ max: 40 }),
  }),
  { minLength: 10, maxLength: 30 },
);

describe('The days’ counters', () => {
  test('equal the sums over invoices, payments and refunds, whatever happens at once', async ({
    database,
  }) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (steps, deleted) => {
        const { session } = await aTenant(database.orm.em);
        const clock = await aTestClock(session, new Date('2026-01-31T23:30:00Z'));
        const invoices = await Promise.all(
          [100, 200, 300, 400, 500, 0].map((price, index) =>
            anInvoice(session, price, index < 2 ? clock.id : undefined),
          ),
        );
        for (let from = 0; from < steps.length; from += 4) {
          const crowd = steps.slice(from, from + 4).map(async ({ verb, invoice, day }) => {
            const id = invoices[invoice] ?? '';
            // A refused command changes nothing, and the test shows it.
            await act(onDay(session, day), verb, id).catch((error: Error) => {
              if (error.name !== 'DomainError') throw error;
            });
          });
          await Promise.all(crowd);
        }
        if (deleted) await deleteTestClock(onDay(session, 0), { id: clock.id });
        expect(await counted(session)).toEqual(await added(session));
        const paid = `payment where status in ('succeeded', 'refunded')`;
        const open = `invoice where status in ('open', 'awaiting_payment_confirmation')`;
        expect(await revenueTotals(onDay(session, 0))).toEqual([
          {
            currency: 'USD',
            mrr: 0,
            activeSubscriptions: 0,
            paid: await sum(session, 'amount', paid),
            refunded: await sum(session, 'refunded_amount', paid),
            outstanding: await sum(session, 'total - credit_applied', open),
          },
        ]);
      }),
      { numRuns: 12 },
    );
  });
});

describe('The totals', () => {
  test('show as outstanding what credit has not paid, and no trial that is to be canceled', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const { em } = timeline.fresh();
    const credit = { creditBalance: 1_000, currency: 'USD' };
    Object.assign(await em.findOneOrFail(Customer, timeline.customer.id), credit);
    await em.flush();
    const invoice = await aDraft(timeline.fresh(), {
      customerId: timeline.customer.id,
      lines: [{ quantity: 1, price: 5_000 }],
    });
    await finalizeInvoice(timeline.fresh(), { id: invoice.id });
    expect(await revenueTotals(timeline.fresh())).toMatchObject([{ outstanding: 4_000 }]);
    await timeline.pays('sandbox_success');
    const { id } = await timeline.subscribes({ unitPrice: 2_000, trialEnd: timeline.day(7) });
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(timeline.fresh(), { id, cancellation });
    const none = { mrr: 0, activeSubscriptions: 0 };
    expect(await revenueTotals(timeline.fresh())).toMatchObject([none]);
    await uncancelSubscription(timeline.fresh(), { id });
    await timeline.toDay(8);
    const one = { mrr: 2_000, activeSubscriptions: 1 };
    expect(await revenueTotals(timeline.fresh())).toMatchObject([one]);
    await cancelSubscription(timeline.fresh(), { id, cancellation });
    expect(await revenueTotals(timeline.fresh())).toMatchObject([one]);
  });
});

async function anInvoice(session: Session, price: number, testClockId: string | undefined) {
  const { id: customerId } = await aCustomer(session, { testClockId });
  await aPaymentMethod(session, customerId);
  return (await aDraft(session, { customerId, lines: [{ quantity: 1, price }] })).id;
}

async function act(session: Session, verb: (typeof verbs)[number], id: string) {
  if (verb === 'finalize') return finalizeInvoice(session, { id });
  if (verb === 'void') return voidInvoice(session, { id });
  if (verb === 'give up') return markInvoiceUncollectible(session, { id });
  if (verb === 'date') return updateInvoice(session, { id, invoice: { invoiceDate: session.now } });
  if (verb === 'pay') {
    await finalizeInvoice(onDay(session, 3), { id }).catch(() => {});
    return payInvoice(session, { id });
  }
  const payments = await session.em
    .fork()
    .execute<{ id: string }[]>('select id from payment where invoice_id = ?', [id]);
  const input = { id: payments[0]?.id ?? '', partialAmount: verb === 'part' ? 30 : null };
  return refundPayment(session, input);
}

describe('The revenue of a month', () => {
  const of = (interval: 'day' | 'week' | 'month' | 'year', intervalCount: number, amount: number) =>
    ({ interval, intervalCount, amount: BigInt(amount) }) as const;

  test.for([
    [[['month', 1, 1_000]], 1_000],
    [[['month', 3, 1_000]], 333],
    [
      [
        ['month', 3, 500],
        ['month', 6, 1],
      ],
      167,
    ],
    [[['year', 1, 12_000]], 1_000],
    [[['year', 1, 6]], 1],
    [[['year', 1, 5]], 0],
    [[['day', 1, 12]], 365],
    [[['day', 7, 84]], 365],
    [[['week', 1, 84]], 365],
    [
      [
        ['year', 1, 365],
        ['day', 1, 1],
      ],
      61,
    ],
    [
      [
        ['month', 7, 7],
        ['month', 11, 11],
        ['month', 13, 13],
      ],
      3,
    ],
    [[], 0],
  ] as const)('%j is %i', ([recurring, expected]) => {
    expect(monthly(recurring.map(([unit, count, amount]) => of(unit, count, amount)))).toBe(
      expected,
    );
  });

  test('is rounded once: the sum of many small parts is exact', () => {
    expect(monthly(Array.from({ length: 12 }, () => of('year', 1, 1)))).toBe(1);
    expect(monthly([{ interval: null, intervalCount: null, amount: 5n }, of('month', 1, 2)])).toBe(
      2,
    );
  });

  test('does not depend on how it is divided', () => {
    const amounts = fc.array(
      fc.tuple(
        fc.constantFrom('day', 'week', 'month', 'year'),
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 2 ** 40 }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(amounts, (amounts) => {
        const whole = amounts.map(([interval, count, amount]) => of(interval, count, amount));
        const halves = whole.flatMap((one) => {
          const amount = one.amount / 2n;
          return [
            { ...one, amount },
            { ...one, amount: one.amount - amount },
          ];
        });
        expect(monthly(halves)).toBe(monthly(whole));
      }),
    );
  });
});
