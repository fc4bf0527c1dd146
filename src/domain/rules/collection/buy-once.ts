import type { Customer } from '#domain/customers/customer.ts';
import type { Discount } from '#domain/discounts/discount.ts';
import { discountOf } from '#domain/discounts/discount-terms.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { amountsOf } from '#domain/invoices/tax.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Metadata } from '#domain/kernel/metadata.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Price } from '#domain/prices/price.ts';
import type { Product } from '#domain/products/product.ts';
import { Purchase } from '#domain/purchases/purchase.ts';
import { redeemDiscount } from '#domain/rules/catalog/redeem-discount.ts';
import { currencyConflict, followCurrency } from '#domain/rules/invoicing/agree-on-currency.ts';
import { useCredit } from '#domain/rules/invoicing/credit-balance.ts';
import { discountLine } from '#domain/rules/invoicing/discount-lines.ts';
import { openInvoice } from '#domain/rules/invoicing/open-invoice.ts';
import { taxRuleOf } from '#domain/rules/invoicing/tax-rule.ts';
import { lockSubscriptionsOf } from '#domain/rules/locks/lock-subscription.ts';
import { useDiscount } from '#domain/rules/periods/discount-period.ts';

interface Ordered {
  readonly price: Price;
  readonly product: Product;
  readonly quantity: number;
  readonly metadata?: Metadata | null;
}

/**
 * Part of a transaction: writes the purchase of a product with a single payment for a locked customer, and its open
 * invoice. The credit balance pays as much of it as it can. Errors: BAD_REQUEST for a price in another currency than the
 * customer's.
 */
export async function buyOnce(
  session: Session,
  customer: Customer,
  { price, product, quantity, metadata = null }: Ordered,
): Promise<{ purchase: Purchase; invoice: Invoice }> {
  const { em } = session;
  const amount = price.unitPrice * quantity;
  const rule = await taxRuleOf(session, customer, [{ amount, priceId: price.id }]);
  const { total } = amountsOf(amount, rule);
  const purchase = em.create(Purchase, {
    status: 'pending',
    name: product.name,
    customer,
    price,
    priceType: price.type,
    quantity,
    billingAddress: null,
    firstInvoiceValue: total,
    totalPurchaseValue: total,
    metadata,
  });
  await em.flush();
  const invoice = await invoicePurchase(session, customer, { price, quantity, purchase });
  await useCredit(session, customer, invoice);
  await em.flush();
  return { purchase, invoice };
}

interface Invoiced {
  readonly price: Price;
  readonly quantity: number;
  readonly purchase: Pick<Purchase, 'id' | 'name'>;
  readonly discount?: Discount | null;
}

/**
 * Writes the invoice of a purchase with a single payment, with the discount that is redeemed for it. Errors: BAD_REQUEST
 * for a price in another currency than the customer's.
 */
export async function invoicePurchase(
  session: Session,
  customer: Customer,
  { price, quantity, purchase: { id: purchaseId, name }, discount = null }: Invoiced,
): Promise<Invoice> {
  const subscriptions = await lockSubscriptionsOf(session, customer.id);
  const currency = price.unitPrice === 0 && customer.currency ? customer.currency : price.currency;
  const why = await currencyConflict(session, customer, subscriptions, currency);
  if (why) throw new DomainError('BAD_REQUEST', `The price ${why}`);
  followCurrency(subscriptions, currency);
  const line = { description: name, quantity, price: price.unitPrice, priceId: price.id };
  const heading = { purpose: 'manual', status: 'open', currency, purchaseId } as const;
  if (!discount) return openInvoice(session, customer, heading, [line]);
  const redemption = await redeemDiscount(session, discount, { customer, currency, purchaseId });
  const base = price.unitPrice * quantity;
  const off = discountOf(redemption.terms, base, currency);
  useDiscount(redemption);
  const lines = off > 0 ? [line, discountLine(redemption.terms, off, base)] : [line];
  return openInvoice(session, customer, heading, lines);
}
