import type { z } from 'zod';
import { discountField, findDiscount } from '#domain/catalog/find-discount.ts';
import { priceBySlug, retirementOf } from '#domain/catalog/retired-price.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountOfItem, itemTermsOf } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { placesOf, requireRedeemable } from '#domain/subscriptions/periods/redeem-discount.ts';
import type { CheckoutInput, createCheckoutSessionInput } from './checkout-input.ts';

const dayMilliseconds = 86_400_000;

/**
 * Opens a checkout session for 24 hours. Errors: BAD_REQUEST for an unknown customer, price or subscription, and for a
 * subscription that has ended. BAD_REQUEST also for a price that cannot be bought, and a discount that cannot be redeemed.
 */
export function createCheckoutSession(
  session: Session,
  { checkoutSession: input }: z.output<typeof createCheckoutSessionInput>,
): Promise<CheckoutSession> {
  return command(session, async (session) => {
    const { em, now } = session;
    const customer = await customerOf(session, input);
    const target = await targetOf(session, input, customer);
    const price =
      input.type === 'product' ? await priceOf(session, input) : await target?.price.loadOrFail();
    const discount = await discountFor(session, input, price, customer);
    const checkout = em.create(CheckoutSession, {
      type: input.type,
      customer,
      customerName: customer?.name ?? null,
      customerEmail: customer?.email ?? null,
      price: input.type === 'add_payment_method' ? null : (price ?? null),
      quantity: input.quantity ?? 1,
      discountId: discount?.id ?? null,
      allowDiscountCodes: input.allowDiscountCodes ?? true,
      targetSubscription: target,
      successUrl: input.successUrl,
      cancelUrl: input.cancelUrl,
      preserveBillingCycleAnchor: input.preserveBillingCycleAnchor ?? false,
      outputMetadata: input.outputMetadata ?? null,
      outputName: input.outputName ?? null,
      automaticallyUpdateSubscriptions:
        input.type === 'add_payment_method'
          ? (input.automaticallyUpdateSubscriptions ?? false)
          : null,
      expires: new Date(now.getTime() + dayMilliseconds),
    });
    await em.flush();
    return checkout;
  });
}

async function customerOf({ em }: Session, { customerExternalId: externalId }: CheckoutInput) {
  if (externalId == null) return null;
  const customer = await em.findOne(Customer, { externalId, archived: false });
  if (customer) return customer;
  throw refused('NOT_FOUND', 'customerExternalId', `Unknown customer ${externalId}`);
}

async function priceOf(session: Session, { priceId, priceSlug, quantity }: CheckoutInput) {
  const path = priceId != null ? 'priceId' : 'priceSlug';
  const price =
    priceId != null
      ? await session.em.findOne(Price, priceId)
      : await priceBySlug(session, priceSlug ?? '');
  if (!price) {
    const message =
      priceId != null
        ? `Invalid or not-found price ID: ${priceId}`
        : `Price with slug "${priceSlug}" not found in this pricing model`;
    throw refused('NOT_FOUND', path, message);
  }
  const refuse = (why: string) => refused('INVALID', path, `${priceSlug ?? price.id} ${why}`);
  if (!price.active) throw refuse(await retirementOf(session, price));
  const product = await price.product?.loadOrFail();
  if (!product) throw refuse('is a usage price, which is billed afterwards: use a product price');
  if (product.default) {
    throw refused(
      'NOT_ALLOWED',
      path,
      'Checkout sessions cannot be created for default products. Customers are subscribed to them without one.',
    );
  }
  if (!product.active) throw refuse('is of a product that is not active');
  // Tax may add at most the same amount again.
  if (!Number.isSafeInteger(2 * amountOfItem({ ...itemTermsOf(price), quantity: quantity ?? 1 })))
    throw refused('OUT_OF_RANGE', 'quantity', 'results in an amount that is too large');
  return price;
}

/** The discount that the input names. Errors: BAD_REQUEST for one that cannot be redeemed now. */
async function discountFor(
  session: Session,
  input: CheckoutInput,
  price: Price | undefined,
  customer: Customer | null,
) {
  const discount = await findDiscount(session, input);
  if (!discount || !price) return null;
  const target = { currency: price.currency, field: discountField(input) } as const;
  const taken = customer ? await placesOf(session, discount, customer) : undefined;
  requireRedeemable(session, discount, target, taken);
  return discount;
}

async function targetOf(
  { em }: Session,
  { targetSubscriptionId: id }: CheckoutInput,
  customer: Customer | null,
) {
  if (id == null) return null;
  const path = 'targetSubscriptionId';
  const target = await em.findOne(Subscription, { id, customer: customer?.id ?? '' });
  if (!target)
    throw refused('NOT_FOUND', path, `Unknown subscription ${id} of ${customer?.externalId}`);
  if (target.isTerminal) throw refused('INVALID_STATE', path, `${id} has ended`);
  if (target.doNotCharge) throw refused('INVALID_STATE', path, `${id} is not charged`);
  return target;
}

const refused = (code: IssueCode, path: string, message: string) =>
  invalid(code, `checkoutSession.${path}`, message);
