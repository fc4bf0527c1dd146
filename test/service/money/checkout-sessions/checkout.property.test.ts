import fc from 'fast-check';
import { expect } from 'vitest';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createCheckoutSession } from '#domain/money/commands/checkout-sessions/create-checkout-session.ts';
import { readCheckout } from '#domain/money/commands/checkout-sessions/read-checkout.ts';
import { submitCheckout } from '#domain/money/commands/checkout-sessions/submit-checkout.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { effort } from '../../../support/effort.ts';
import { fresh as renewed } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { addresses } from '../../../support/screen/checkout.ts';
import '../../../support/properties.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance } from '../../../support/time.ts';

const intervals = [
  null,
  { intervalUnit: 'month', intervalCount: 1 },
  { intervalUnit: 'month', intervalCount: 3 },
  { intervalUnit: 'week', intervalCount: 2 },
  { intervalUnit: 'year', intervalCount: 1 },
] as const;

const discount = fc.oneof(
  fc.record({
    amountType: fc.constant('percent' as const),
    amount: fc.integer({ min: 1, max: 110 }),
  }),
  fc.record({
    amountType: fc.constant('fixed' as const),
    amount: fc.integer({ min: 1, max: 9_000 }),
  }),
);

const duration = fc.oneof(
  fc.constant({ duration: 'once' as const }),
  fc.constant({ duration: 'forever' as const }),
  fc
    .integer({ min: 1, max: 3 })
    .map((numberOfPayments) => ({ duration: 'number_of_payments' as const, numberOfPayments })),
);

const order = fc.record({
  interval: fc.constantFrom(...intervals),
  unitPrice: fc.integer({ min: 1, max: 9_999 }),
  quantity: fc.integer({ min: 1, max: 7 }),
  terms: fc.option(fc.tuple(discount, duration).map(([size, of]) => ({ ...size, ...of }))),
  tax: fc.option(
    fc.record({ rate: fc.integer({ min: 0, max: 3_000 }), taxInclusive: fc.boolean() }),
  ),
  trialPeriodDays: fc.constantFrom(0, 0, 7),
  preserveBillingCycleAnchor: fc.boolean(),
  /** The days of the free plan’s first period that have passed. */
  days: fc.integer({ min: 0, max: 27 }),
});

const day = 86_400_000;
const form = {
  line1: '',
  line2: '',
  city: '',
  state: '',
  postal_code: '',
  country: '',
  tax_id: '',
};
const card = { email: 'ada@example.com', name: 'Ada', token: 'sandbox_success', type: 'card' };

const invoicesOf = (session: Session, customer: string) =>
  renewed(session).em.find(Invoice, { customer }, { orderBy: { position: 'asc' } });

test('the page of a checkout shows the first and the second invoice to the minor unit', async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(order, async (order) => {
      const { interval, unitPrice, quantity, terms, tax, days } = order;
      const { session } = await aTenant(database.orm.em);
      const fresh = () => renewed(session);
      if (tax) {
        const { rate, taxInclusive } = tax;
        const rule = { taxType: 'vat', taxRatePercentage: String(rate / 100), taxInclusive };
        await updateOrganization(fresh(), { organization: rule as never });
      }
      const { clock, customer } = await aClockedCustomer(session);
      const start = new Date(clock.frozenTime.getTime() + days * day);
      if (days > 0) await advance(session, { clock }, start);
      const { trialPeriodDays } = order;
      const product = await createProduct(fresh(), {
        product: { name: 'Pro', slug: 'pro' },
        price: interval
          ? { type: 'subscription', unitPrice, ...interval, trialPeriodDays }
          : { type: 'single_payment', unitPrice },
      });
      const [{ id: priceId } = { id: '' }] = await product.prices.loadItems();
      const discount = terms && (await aDiscount(session, terms));
      const checkout = await createCheckoutSession(fresh(), {
        checkoutSession: {
          type: 'product',
          customerExternalId: customer.externalId,
          priceId,
          quantity,
          discountId: discount?.id,
          preserveBillingCycleAnchor: order.preserveBillingCycleAnchor,
          ...addresses,
        },
      });
      const { summary } = await readCheckout(fresh(), checkout);
      if (!summary) throw new Error('nothing is bought');
      await submitCheckout(fresh(), checkout.id, { ...form, ...card } as never);

      const subscription = await fresh().em.findOne(Subscription, {
        customer: customer.id,
        isFreePlan: false,
      });
      if (summary.trialDays > 0) {
        expect(await invoicesOf(session, customer.id)).toEqual([]);
        await advance(session, { clock }, subscription?.trialEnd as Date);
      }
      const [first] = await invoicesOf(session, customer.id);
      const { total, subtotal, taxAmount } = summary.amounts;
      expect(first).toMatchObject({ status: 'paid', total, subtotal, taxAmount });
      const lines = await fresh().em.execute(
        'select amount, type from invoice_line_item where invoice_id = ? order by position',
        [first?.id],
      );
      const shown = [
        ...summary.lines.map(({ amount }) => ({ type: 'static', amount: String(amount) })),
        ...(summary.discount?.amount
          ? [{ type: 'discount', amount: String(-summary.discount.amount) }]
          : []),
      ];
      expect(lines.map((line: object) => ({ ...line }))).toEqual(shown);
      const payments = await fresh().em.find(Payment, { invoice: first?.id ?? '' });
      expect(payments.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
      const [purchase] = await fresh().em.find(Purchase, {});
      expect(purchase?.firstInvoiceValue).toBe(summary.trialDays > 0 ? 0 : total);

      if (subscription) {
        const [now, next] = summary.schedule;
        const second = (now?.count === 1 ? next : now)?.amounts;
        const running = await fresh().em.findOneOrFail(Subscription, subscription.id);
        const end = running.currentBillingPeriodEnd as Date;
        if (order.preserveBillingCycleAnchor && summary.trialDays === 0)
          expect(running.billingCycleAnchorDate).toEqual(clock.frozenTime);
        await advance(session, { clock }, end);
        const later = (await invoicesOf(session, customer.id))[1];
        expect(later).toMatchObject({ status: 'paid', ...second });
      }
      for (const { id } of await invoicesOf(session, customer.id))
        expect((await explainInvoice(fresh(), id)).differences).toEqual([]);
      expect(await fresh().em.count(Customer, { archived: true })).toBe(0);
      await expectMoneyToAgree(fresh());
      await expectBooksToAgree(fresh());
    }),
    { numRuns: 8 * effort },
  );
});
