import fc from 'fast-check';
import { expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  finalizeInvoice,
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import {
  aCustomer,
  aDraft,
  aPaymentMethod,
  aSubscription,
  aTestClock,
  fresh,
} from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const amount = fc.integer({ min: 1, max: 2_500 });
/** One of the rows that are there, whatever their number. */
const which = fc.nat({ max: 1_000 });

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ step: fc.constant('bill' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('charge' as const), which }) },
  { weight: 5, arbitrary: fc.record({ step: fc.constant('record' as const), which, amount }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('receive' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('reverse' as const), which }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('refund' as const), which, amount }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('void' as const), which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('writeOff' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('credit' as const),
      which,
      amount,
      settle: fc.constantFrom('refund', 'credit', 'write_off'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('advance' as const),
      days: fc.integer({ min: 1, max: 20 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const tokens = ['sandbox_success', 'sandbox_decline_then_success', 'sandbox_slow'] as const;
const methods = ['charge_automatically', 'send_invoice'] as const;

/** The exact rules for one customer with these steps, in addition to the invariants of all money. */
const violations: Readonly<Record<string, string>> = {
  'a credit balance that differs from what was credited and used': `
    select c.id, c.credit_balance from customer c where c.pricing_model_id = $1 and not exists (
      select from credit_note where customer_id = c.id) and credit_balance <>
      (select coalesce(sum(credited_amount), 0) from payment where customer_id = c.id)
      - (select coalesce(sum(credit_applied), 0) from invoice where customer_id = c.id)`,
  'a subscription in good standing with an open invoice that is late': `
    select s.id, s.status, i.id from subscription s join invoice i on i.subscription_id = s.id
    where s.pricing_model_id = $1 and s.status = 'active' and i.status = 'open'
      and (i.collection_method = 'charge_automatically' or i.overdue_at is not null)
      and not exists (select from billing_run r where r.billing_period_id = i.billing_period_id
        and r.status in ('scheduled', 'started'))`,
};

async function expectAllToAgree(session: Session) {
  await expectMoneyToAgree(session);
  const { em, pricingModelId } = fresh(session);
  for (const [name, sql] of Object.entries(violations)) {
    const count = sql.split('$1').length - 1;
    const rows = await em.execute(
      sql.replaceAll('$1', '?'),
      Array.from({ length: count }, () => pricingModelId),
    );
    expect({ name, rows }).toEqual({ name, rows: [] });
  }
}

test('charges, hand payments, reversals, refunds, credit notes and voids agree in every order', async ({
  database,
}) => {
  const live = async (
    token: (typeof tokens)[number],
    collectionMethod: (typeof methods)[number],
    script: readonly Step[],
  ) => {
    const { session } = await aTenant(database.orm.em);
    const clock = await aTestClock(session, new Date('2026-01-01T00:00:00Z'));
    const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
    await aPaymentMethod(session, customerId, { token, default: true });
    await aSubscription(session, { customerId, collectionMethod });
    for (const one of script) {
      await take(session, { customerId, clockId: clock.id }, one);
      await expectAllToAgree(session);
    }
  };
  // The credit of an over-payment pays the next invoice before the money turns out to be missing.
  await live('sandbox_success', 'send_invoice', [
    { step: 'record', which: 0, amount: 2_500 },
    { step: 'bill', amount: 1_200 },
    { step: 'reverse', which: 0 },
  ]);
  const property = fc.asyncProperty(
    fc.constantFrom(...tokens),
    fc.constantFrom(...methods),
    fc.array(step, { minLength: 12, maxLength: 24, size: 'max' }),
    live,
  );
  await tried('payments by hand', property, { cases: 5, milliseconds: 4_000 });
});

async function take(session: Session, of: { customerId: string; clockId: string }, one: Step) {
  try {
    await run(session, of, one);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

async function run(
  session: Session,
  { customerId, clockId }: { customerId: string; clockId: string },
  one: Step,
): Promise<unknown> {
  const { em } = fresh(session);
  const orderBy = { createdAt: 'asc', position: 'asc' } as const;
  const pick = <T>(rows: readonly T[], which: number) => rows[which % rows.length];
  const invoiceOf = async (which: number) =>
    pick(await em.find(Invoice, {}, { orderBy }), which)?.id ?? '';
  // Most payments are for an invoice that is to be paid.
  const owedOf = async (which: number) => {
    const owed = { status: { $in: [...payableStatuses, 'uncollectible' as const] } };
    return pick(await em.find(Invoice, owed, { orderBy }), which)?.id ?? invoiceOf(which);
  };
  const method = 'bank_transfer' as const;
  switch (one.step) {
    case 'bill': {
      const lines = [{ quantity: 1, price: one.amount }];
      const { id } = await aDraft(session, { customerId, lines });
      return finalizeInvoice(fresh(session), { id });
    }
    case 'charge':
      return payInvoice(fresh(session), { id: await invoiceOf(one.which) });
    case 'record': {
      const invoiceId = await owedOf(one.which);
      return recordPayment(fresh(session), { invoiceId, amount: one.amount, method });
    }
    case 'receive':
      return recordPayment(fresh(session), { customerId, amount: one.amount, method });
    case 'reverse': {
      const receipt = pick(
        await em.find(Remittance, { status: 'received' }, { orderBy }),
        one.which,
      );
      return receipt && reversePayment(fresh(session), { id: receipt.id, reason: 'Wrong' });
    }
    case 'refund': {
      const payment = pick(await em.find(Payment, {}, { orderBy }), one.which);
      const partialAmount = one.amount;
      return payment && refundPayment(fresh(session), { id: payment.id, partialAmount });
    }
    case 'credit': {
      const { which, amount, settle } = one;
      const creditNote = { invoiceId: await invoiceOf(which), amount, settle, reason: 'other' };
      return createCreditNote(fresh(session), { creditNote } as never);
    }
    case 'void':
      return voidInvoice(fresh(session), { id: await invoiceOf(one.which) });
    case 'writeOff':
      return markInvoiceUncollectible(fresh(session), { id: await invoiceOf(one.which) });
    case 'advance': {
      const { frozenTime } = await em.findOneOrFail(TestClock, clockId);
      const to = new Date(frozenTime.getTime() + one.days * 86_400_000);
      return advanceTestClock(fresh(session), { id: clockId, frozenTime: to });
    }
  }
}
