import { discountField, findDiscount } from '#domain/catalog/find-discount.ts';
import { priceBySlug, retirementOf } from '#domain/catalog/retired-price.ts';
import { checkDaysUntilDue } from '#domain/invoicing/billing/collection-input.ts';
import { namedPaymentMethod } from '#domain/invoicing/billing/payment-method-for.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountOfItem, itemTermsOf } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { listedTotal } from '#domain/model/subscriptions/planned-item.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { executeDueRunsOf } from '#domain/money/collection/execute-billing-run.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { planPhase, requirePhases } from '#domain/subscriptions/adjusting/plan-phase.ts';
import { openSubscription } from '#domain/subscriptions/lifecycle/open-subscription.ts';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import { commitmentOf } from './commitment-input.ts';
import type { CreateSubscriptionInput, SubscribedInput } from './create-subscription-input.ts';
import { firstItems } from './first-items.ts';

/**
 * Subscribes a customer to a price or to several items. Errors: BAD_REQUEST for an unknown customer, price or payment method, and for a price
 * that cannot be subscribed to. BAD_REQUEST also for a discount that cannot be redeemed, for a past trial end, and for a
 * `paidUntil` that is no boundary.
 * CONFLICT when the customer is subscribed already.
 */
export async function createSubscription(
  session: Session,
  input: CreateSubscriptionInput,
): Promise<Subscription> {
  const {
    done: { id, customerId },
  } = await firstStep(session, async (session) => {
    const { id, customerId } = await subscribe(session, input);
    return { id, customerId };
  });
  // The amount due is charged now, so that the result shows the outcome.
  await executeDueRunsOf(session, customerId);
  return afresh(session).em.findOneOrFail(Subscription, id);
}

/**
 * The first transaction of `createSubscription`: it writes the subscription, and what is to be paid is due. Several
 * customers can subscribe in a batch. Errors: those of `createSubscription`.
 */
export async function subscribe(
  session: Session,
  input: CreateSubscriptionInput,
): Promise<Subscription> {
  const { customerId, customerExternalId } = input;
  const locked = await lockCustomer(
    session,
    customerId != null
      ? { id: customerId }
      : { externalId: customerExternalId ?? '', archived: false },
  );
  if (!locked) throw unknown(input, 'customer', customerId ?? customerExternalId);
  return subscribeLocked(locked.session, locked.customer, input);
}

/**
 * The same for a customer that is locked already, or that the transaction has created, in a session at its time.
 * Errors: those of `createSubscription`.
 */
export async function subscribeLocked(
  session: Session,
  customer: Customer,
  input: SubscribedInput,
): Promise<Subscription> {
  if (customer.archived) throw invalid('ARCHIVED', 'customerId', `${customer.id} is archived`);
  checkDaysUntilDue('daysUntilDue', {
    ...input,
    collectionMethod: input.collectionMethod ?? customer.collectionMethod,
  });
  const { price, product, items, priceField } = await itemsFor(session, input);
  checkDates(session, input, price);
  if (input.billAt != null && price.type !== 'subscription') {
    const message = 'must be left out for a price that does not renew';
    throw invalid('NOT_ALLOWED', 'billAt', message);
  }
  if (input.periodCount != null && price.type !== 'subscription') {
    const message = 'must be left out for a price that does not renew';
    throw invalid('NOT_ALLOWED', 'periodCount', message);
  }
  const { defaultPaymentMethodId, backupPaymentMethodId } = input;
  const ownMethod = (path: string, id: string | null | undefined) =>
    namedPaymentMethod(session, customer, path, id);
  const subscription = await openSubscription(session, customer, {
    ...input,
    anchor: {
      at: input.billingCycleAnchorDate,
      dayOfMonth: input.anchorDayOfMonth,
      path: '',
    },
    price,
    priceField,
    product,
    items,
    commitment: input.commitment ? commitmentFor(input, price) : null,
    discount: await discountFor(session, input, price),
    discountField: discountField(input),
    defaultPaymentMethod: await ownMethod('defaultPaymentMethodId', defaultPaymentMethodId),
    backupPaymentMethod: await ownMethod('backupPaymentMethodId', backupPaymentMethodId),
  });
  const { phases, keepsRetired } = input;
  if (phases?.length) requirePhases(subscription, 'phases');
  for (const [place, phase] of (phases ?? []).entries()) {
    const items = phase.items.map((item) => ({ ...item, keepsRetired }));
    await planPhase(session, subscription, { ...phase, items }, `phases.${place}`);
  }
  return subscription;
}

/** The commitment of the input. Errors: BAD_REQUEST for a free price, and one without billing periods. */
function commitmentFor(input: CreateSubscriptionInput, price: Price) {
  const unit = input.interval ?? price.intervalUnit;
  if (!input.commitment || price.type !== 'subscription' || !unit) {
    const why = `must be left out: ${price.id} is not charged in billing periods`;
    throw invalid('NOT_ALLOWED', 'commitment', why);
  }
  const count = input.intervalCount ?? price.intervalCount ?? 1;
  return commitmentOf(input.commitment, { unit, count });
}

/** The discount that the input names. Errors: BAD_REQUEST for a price that is not charged in billing periods. */
async function discountFor(session: Session, input: CreateSubscriptionInput, price: Price) {
  const discount = await findDiscount(session, input);
  if (!discount || price.type === 'subscription') return discount;
  const message = `must be left out: ${price.id} is not charged in billing periods`;
  throw invalid('NOT_ALLOWED', discountField(input), message);
}

/** The items that the input names, with the price that determines its periods. Errors: BAD_REQUEST. */
async function itemsFor(session: Session, input: SubscribedInput) {
  if (input.items) {
    const { items, main } = await firstItems(session, input);
    requirePayable('items', listedTotal(items));
    return { items, price: main.price, product: main.product, priceField: main.field ?? 'items' };
  }
  const price = await priceFor(session, input);
  const product = price.product && (await price.product.loadOrFail());
  if (!product) throw unsuitable(input, price, 'is a usage price: use a subscription price');
  if (!product.active && !input.keepsRetired)
    throw unsuitable(input, price, 'is of a product that is not active');
  if (price.type === 'single_payment' && !product.default) {
    throw unsuitable(input, price, 'is a single-payment price: use a subscription price');
  }
  requirePayable(
    'quantity',
    amountOfItem({ ...itemTermsOf(price), quantity: input.quantity ?? 1 }),
  );
  return { price, product, priceField: input.priceId != null ? 'priceId' : 'priceSlug' };
}

/** Errors: BAD_REQUEST for an amount that is too large; tax may add at most the same amount again. */
function requirePayable(field: string, amount: number) {
  if (Number.isSafeInteger(2 * amount)) return;
  throw invalid('OUT_OF_RANGE', field, 'results in an amount that is too large');
}

async function priceFor(session: Session, input: SubscribedInput): Promise<Price> {
  const { priceId, priceSlug } = input;
  const price =
    priceId != null
      ? await session.em.findOne(Price, priceId)
      : await priceBySlug(session, priceSlug ?? '');
  if (!price) throw unknown(input, 'price', priceId ?? priceSlug);
  if (!price.active && !input.keepsRetired)
    throw unsuitable(input, price, await retirementOf(session, price));
  return price;
}

/** The largest number of past billing periods of a new subscription. */
const mostPastPeriods = 1_000;

function checkDates({ now }: Session, input: CreateSubscriptionInput, price: Price) {
  const { startDate, trialEnd } = input;
  const unit = input.interval ?? price.intervalUnit;
  if (startDate && unit) {
    const count = (input.intervalCount ?? price.intervalCount ?? 1) * mostPastPeriods;
    if (nextBoundary(startDate, { unit, count }, startDate) < now) {
      throw invalid(
        'OUT_OF_RANGE',
        'startDate',
        `must be at most ${mostPastPeriods} billing periods in the past`,
      );
    }
  }
  if (startDate && input.paidUntil) checkBoundary(now, startDate, input, price);
  if (!trialEnd) return;
  if (trialEnd <= (startDate ?? now))
    throw invalid('OUT_OF_RANGE', 'trialEnd', 'must be after the start');
  if (trialEnd <= now) throw invalid('OUT_OF_RANGE', 'trialEnd', 'must not be in the past');
}

/** The end of a period that has begun, or of the first one. */
function checkBoundary(now: Date, start: Date, input: CreateSubscriptionInput, price: Price) {
  const paidUntil = input.paidUntil as Date;
  const unit = input.interval ?? price.intervalUnit;
  const refuse = (code: IssueCode, why: string) => invalid(code, 'paidUntil', why);
  if (!unit || price.type !== 'subscription') {
    throw refuse('NOT_ALLOWED', 'must be left out for a price that does not renew');
  }
  if (paidUntil <= start) throw refuse('OUT_OF_RANGE', 'must be after the start');
  const interval = { unit, count: input.intervalCount ?? price.intervalCount ?? 1 };
  const last = nextBoundary(start, interval, now > start ? now : start);
  if (paidUntil > last) {
    throw refuse(
      'OUT_OF_RANGE',
      `must be at most ${last.toISOString()}, the end of the present billing period`,
    );
  }
  const boundary = nextBoundary(start, interval, new Date(paidUntil.getTime() - 1));
  if (boundary.getTime() !== paidUntil.getTime()) {
    throw refuse(
      'INVALID',
      `must be the end of a billing period that counts from startDate: the next one is ${boundary.toISOString()}`,
    );
  }
}

function unknown(
  input: CreateSubscriptionInput,
  what: 'customer' | 'price',
  value: string | null | undefined,
) {
  const names = {
    customer: ['customerId', 'customerExternalId'],
    price: ['priceId', 'priceSlug'],
  } as const;
  const [id, other] = names[what];
  return invalid('NOT_FOUND', input[id] != null ? id : other, `Unknown ${what} ${value}`);
}

const unsuitable = ({ priceId, priceSlug }: CreateSubscriptionInput, { id }: Price, why: string) =>
  invalid('INVALID', priceId != null ? 'priceId' : 'priceSlug', `${priceSlug ?? id} ${why}`);
