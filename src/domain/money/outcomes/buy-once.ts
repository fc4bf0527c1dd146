import { currencyConflict, followCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import { discountLine } from '#domain/invoicing/billing/discount-lines.ts';
import { useDiscount } from '#domain/invoicing/billing/discount-period.ts';
import { openInvoice } from '#domain/invoicing/billing/open-invoice.ts';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Discount } from '#domain/model/catalog/discount.ts';
import { discountOf } from '#domain/model/catalog/discount-terms.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { redeemDiscount } from '#domain/subscriptions/periods/redeem-discount.ts';

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
