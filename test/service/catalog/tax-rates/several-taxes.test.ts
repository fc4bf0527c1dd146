import { describe, expect } from 'vitest';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { createTaxRate } from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import { updateUsageMeter } from '#domain/catalog/commands/usage-meters/update-usage-meter.ts';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { setCommitment } from '#domain/subscriptions/commands/subscriptions/set-commitment.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';
import { advance, aTimedSubscription, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

type Rate = Parameters<typeof createTaxRate>[1]['taxRate'];

const gst: Rate = { name: 'GST', taxType: 'gst', ratePercentage: '5', country: 'CA' };
const qst: Rate = { ...gst, name: 'QST', taxType: 'qst', ratePercentage: '9.975', state: 'QC' };

/** Makes the organization compute taxes by place, from these rates. */
async function useRates(session: Session, ...rates: readonly Rate[]) {
  await updateOrganization(fresh(session), { organization: { taxEngine: 'rates' } });
  for (const taxRate of rates) await createTaxRate(fresh(session), { taxRate });
}

async function moveTo(session: Session, customerId: string, country: string, state: string | null) {
  const { externalId } = await fresh(session).em.findOneOrFail(Customer, customerId);
  const nobody = { name: null, firstName: null, lastName: null, email: null, phone: null };
  const place = { name: null, line1: '1 Road', line2: null, postal_code: null };
  const address = { ...place, city: 'Town', country, state };
  await updateCustomer(fresh(session), {
    externalId,
    customer: { billingAddress: { ...nobody, address } },
  });
}

/** The invoices of a customer with their taxes as `GST of 1000: 50`, the oldest first. Each explains its amounts. */
async function taxesOf(session: Session, customer: string) {
  const { em } = fresh(session);
  const invoices = await em.find(Invoice, { customer }, { orderBy: { invoiceNumber: 'asc' } });
  for (const { id } of invoices)
    expect(await explainInvoice(fresh(session), id)).toMatchObject({ differences: [] });
  return invoices.map(({ subtotal, taxes }) => [
    subtotal,
    ...taxes.map(({ name, base, amount }) => `${name} of ${base}: ${amount}`),
  ]);
}

describe('several taxes on a subscription', () => {
  test('choose the rate of usage by the tax code of its usage meter', async ({ session }) => {
    const vat = { name: 'VAT', taxType: 'vat', ratePercentage: '19', country: 'DE' } as const;
    const reduced = { ...vat, name: 'Reduced VAT', ratePercentage: '7', taxCode: 'messages' };
    await useRates(session, vat, reduced);
    const user = await aMeteredSubscription(session, {
      unitPrice: 1,
      usageEventsPerUnit: 1,
      from: '2026-01-01',
    });
    await moveTo(session, user.customerId, 'DE', null);
    const code = (taxCode: string | null) =>
      updateUsageMeter(fresh(session), { id: user.meterId, usageMeter: { taxCode } });
    await use(session, user, 300);
    await advance(session, user.clockId, '2026-01-20');
    await code('messages');
    await advance(session, user.clockId, '2026-02-02');
    await use(session, user, 100);
    await code(null);
    await advance(session, user.clockId, '2026-03-02');
    expect((await taxesOf(session, user.customerId)).slice(1)).toEqual([
      [1_300, 'VAT of 1000: 190', 'Reduced VAT of 300: 21'],
      [1_100, 'VAT of 1100: 209'],
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('tax the difference to a commitment, and what is credited of it', async ({ session }) => {
    await useRates(session, gst, qst);
    const user = await aMeteredSubscription(session, {
      unitPrice: 1,
      usageEventsPerUnit: 1,
      from: '2026-01-01',
    });
    await moveTo(session, user.customerId, 'CA', 'QC');
    await setCommitment(fresh(session), {
      id: user.id,
      commitment: { amount: 999, interval: 'month', intervalCount: 1, counts: 'usage' },
    });
    await use(session, user, 333);
    await advance(session, user.clockId, '2026-02-02');
    const [, billed] = await taxesOf(session, user.customerId);
    // 1,000 for the plan, 333 for usage, and 666 up to the commitment.
    expect(billed).toEqual([1_999, 'GST of 1999: 100', 'QST of 1999: 199']);
    const { em } = fresh(session);
    const [, invoice] = await em.find(
      Invoice,
      { customer: user.customerId },
      { orderBy: { invoiceNumber: 'asc' }, populate: ['lineItems'] },
    );
    const line = invoice?.lineItems.getItems().find(({ type }) => type === 'commitment');
    const settled = { settle: 'credit', reason: 'other', invoiceId: invoice?.id ?? '' } as const;
    await createCreditNote(fresh(session), {
      creditNote: { ...settled, lines: [{ invoiceLineItemId: line?.id ?? '', amount: 666 }] },
    });
    await createCreditNote(fresh(session), { creditNote: { ...settled, whole: true } });
    const notes = await fresh(session).em.find(CreditNote, { invoice: invoice?.id ?? '' });
    expect(notes.flatMap(({ taxes }) => taxes.map(({ amount }) => amount))).toEqual([
      33, 66, 67, 133,
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('tax items after their own discounts, each at the rate of its product', async ({
    session,
  }) => {
    const seats = { ...gst, name: 'Seats', taxType: 'sales_tax', taxCode: 'seats' } as const;
    await useRates(session, gst, qst, { ...seats, ratePercentage: '2.5' });
    const plan = async (unitPrice: number, taxCode: string | null) => {
      const slug = `plan-${unitPrice}`;
      const product = { name: slug, slug, taxCode };
      const price = { type: 'subscription', unitPrice, intervalUnit: 'month', slug } as const;
      await createProduct(fresh(session), { product, price });
      return slug;
    };
    const items = [
      { priceSlug: await plan(999, 'seats'), quantity: 3, discountPercentage: '10' },
      { priceSlug: await plan(501, null), quantity: 1 },
    ];
    const { clockId, customerId } = await aTimedSubscription(session, { paid: true, items });
    await moveTo(session, customerId, 'CA', 'QC');
    await advance(session, clockId, '2026-03-01');
    const [, billed] = await taxesOf(session, customerId);
    // 90 % of 2,997 are 2,697.3; the taxes are those of 2,697 and of 501.
    expect(billed).toEqual([
      3_198,
      'GST of 2697: 135',
      'Seats of 2697: 67',
      'QST of 2697: 269',
      'GST of 501: 25',
      'QST of 501: 50',
    ]);
    await expectMoneyToAgree(fresh(session));
  });
});
