import { ref } from '@mikro-orm/core';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { openPayment } from '#domain/money/collection/open-payment.ts';
import { makeDefault } from '#domain/money/methods/make-default.ts';
import { paySubscription } from '#domain/money/methods/pay-with.ts';
import { invoicePurchase } from '#domain/money/outcomes/buy-once.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { completeCheckout } from '#domain/money/outcomes/settle-checkout.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { openSubscription } from '#domain/subscriptions/lifecycle/open-subscription.ts';
import { subscriptionEnded } from './ended-subscription.ts';
import { giveUpChanged } from './give-up-order.ts';
import { keptCycleOf, quoteOf } from './quoted-cycle.ts';
import { writePurchase } from './write-purchase.ts';

interface Paying {
  readonly customer: Customer;
  readonly checkout: CheckoutSession;
  readonly method: PaymentMethod;
}

/**
 * Begins what a locked open checkout session is for, with the customer's payment method. Returns the id of the payment
 * that the processor is to execute after the commit. Runs of subscriptions are due then, too.
 */
export async function payCheckout(session: Session, paying: Paying): Promise<string | null> {
  const { checkout, method } = paying;
  checkout.paymentMethodId = method.id;
  checkout.paymentMethodType = method.type;
  checkout.problem = null;
  checkout.status = 'pending';
  if (checkout.type === 'add_payment_method') return addAlone(session, paying);
  if (checkout.type === 'activate_subscription') return activate(session, paying);
  const price = await checkout.price?.loadOrFail();
  const product = await price?.product?.loadOrFail();
  if (!price || !product) throw new DomainError('BAD_REQUEST', 'There is nothing to buy');
  if (!product.active)
    throw new DomainError('BAD_REQUEST', `${product.name} is not for sale any more`);
  return price.type === 'single_payment'
    ? buyOnce(session, paying, price, product)
    : subscribe(session, paying, price, product);
}

async function addAlone(session: Session, { checkout, customer, method }: Paying) {
  const target = checkout.targetSubscriptionId;
  if (checkout.automaticallyUpdateSubscriptions) await makeDefault(session, method);
  else if (target) {
    const all = await lockSubscriptionsOf(session, customer.id);
    const subscription = all.find(({ id }) => id === target);
    if (subscription) await paySubscription(session, subscription, method);
  }
  await completeCheckout(session, checkout);
  return null;
}

async function activate(session: Session, { checkout, customer, method }: Paying) {
  const all = await lockSubscriptionsOf(session, customer.id);
  const target = all.find(({ id }) => id === checkout.targetSubscriptionId);
  if (!target || target.isTerminal) {
    checkout.status = 'failed';
    checkout.problem = subscriptionEnded;
    return null;
  }
  checkout.subscription = ref(target);
  const interval = target.interval
    ? { unit: target.interval, count: target.intervalCount ?? 1 }
    : null;
  const kept = await keptCycleOf(session, checkout, customer, interval, target);
  await paySubscription(session, target, method, kept);
  return null;
}

/** Subscribes the customer. The subscription becomes current with its first payment, and ends if that fails. */
async function subscribe(
  session: Session,
  { checkout, customer, method }: Paying,
  price: Price,
  product: Product,
) {
  const { quantity, outputName, outputMetadata } = checkout;
  const discount = await discountOfCheckout(session, checkout);
  const subscription = await openSubscription(session, customer, {
    price,
    product,
    quantity,
    name: outputName,
    metadata: outputMetadata,
    defaultPaymentMethod: method,
    awaitsPayment: true,
    collectionMethod: 'charge_automatically',
    discount,
    keepsCycleFrom: quoteOf(checkout, customer, session.now),
  });
  checkout.subscription = ref(subscription);
  await writePurchase(session, {
    customer,
    checkout,
    price,
    product,
    subscription,
    discount,
  });
  return null;
}

async function buyOnce(session: Session, paying: Paying, price: Price, product: Product) {
  const { checkout, customer, method } = paying;
  const { em } = session;
  await giveUpChanged(session, checkout, customer);
  const discount = await discountOfCheckout(session, checkout);
  const bought = { ...paying, price, product, subscription: null, discount };
  const purchase = await writePurchase(session, bought);
  const known = await em.findOne(Invoice, { purchaseId: purchase.id });
  const { quantity } = checkout;
  const ordered = { price, quantity, purchase, discount };
  const invoice = known ?? (await invoicePurchase(session, customer, ordered));
  if (!known) await useCredit(session, customer, invoice);
  await em.flush();
  if (await isPaid(session, invoice)) {
    await markPaid(session, { invoice, run: null, subscription: null });
    return null;
  }
  checkout.status = 'pending';
  return (await openPayment(session, invoice, method, { subscription: null })).id;
}

const discountOfCheckout = async ({ em }: Session, { discountId }: CheckoutSession) =>
  discountId ? em.findOneOrFail(Discount, discountId) : null;
