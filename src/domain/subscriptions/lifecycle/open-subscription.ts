import { derivedName } from '#domain/catalog/derived-name.ts';
import {
  agreedCurrency,
  currencyConflict,
  followCurrency,
} from '#domain/invoicing/billing/agree-on-currency.ts';
import { termsOf } from '#domain/invoicing/billing/collection-terms.ts';
import { discountPeriod } from '#domain/invoicing/billing/discount-period.ts';
import { scheduleFirstRun } from '#domain/invoicing/billing/schedule-run.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { followAlertRules } from '#domain/metering/alerts/follow-alert-rules.ts';
import { rollOverUsage } from '#domain/metering/credits/roll-over-usage.ts';
import { watchNew } from '#domain/metering/credits/watch-usage.ts';
import { carryUsage } from '#domain/metering/ledger/carry-usage.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { followItemTrials } from '#domain/subscriptions/adjusting/follow-item-trials.ts';
import { freeAmong, secondFree } from '#domain/subscriptions/adjusting/one-free.ts';
import { type ChosenAnchor, chosenAnchor } from '#domain/subscriptions/periods/chosen-anchor.ts';
import { keptCycle, prorateFirst } from '#domain/subscriptions/periods/kept-cycle.ts';
import { openPeriod } from '#domain/subscriptions/periods/open-period.ts';
import { redeemDiscount } from '#domain/subscriptions/periods/redeem-discount.ts';
import { addFirstItems } from './add-first-items.ts';
import { endSubscription } from './end-subscription.ts';
import { grantPurchases } from './grant-purchases.ts';
import { firstStatus, isFree, type Terms, trialOf } from './subscription-terms.ts';

/**
 * Subscribes a locked customer. First come refusals and the end of the free plan that is replaced. Then follow the
 * subscription with its items and features, and the first billing period. Errors: CONFLICT when the customer has
 * another current subscription, or is paying for one. BAD_REQUEST for a price in another currency than the customer's.
 */
export async function openSubscription(
  session: Session,
  customer: Customer,
  terms: Terms,
): Promise<Subscription> {
  const { em, now } = session;
  const { price, product, isFirst = false } = terms;
  const [others, settings] = await Promise.all([
    isFirst ? [] : lockSubscriptionsOf(session, customer.id),
    settingsOf(session),
  ]);
  const current = others.filter(({ stands }) => stands);
  // One that commits to an amount is charged, also where its price is 0.
  const isFreePlan = isFree(terms) && !terms.commitment;
  const replaced = isFreePlan ? [] : current.filter(({ isFreePlan }) => isFreePlan);
  const { allowMultipleSubscriptionsPerCustomer: several } = settings;
  const free = isFreePlan ? await freeAmong(session, current) : undefined;
  if (free) throw secondFree(customer, free);
  refuseAnother(
    customer,
    current.filter((one) => !replaced.includes(one)),
    several,
  );

  const currency = await currencyOf(session, customer, terms, others);
  const renews = price.type === 'subscription';
  const startDate = terms.startDate ?? now;
  const defaultPaymentMethod =
    terms.defaultPaymentMethod ?? (await usualMethod(session, customer, terms));
  const trialEnd =
    renews && !terms.paidUntil && (isFreePlan || terms.doNotCharge || !others.some(usedTrial))
      ? trialOf(terms, startDate)
      : null;
  const interval = renews ? intervalOf(terms) : null;
  const { keepsCycleFrom: quotedAt } = terms;
  const kept = quotedAt && !trialEnd ? keptCycle(replaced[0], interval, { now, quotedAt }) : null;
  const anchor = chosenAnchor(terms.anchor ?? noAnchor, trialEnd ?? startDate, interval);
  const collection = termsOf(terms, customer);
  const status = firstStatus(terms, { renews, isFreePlan, trialEnd, ...collection });
  // First, since a customer has one current subscription. An incomplete one replaces the free plan with its first
  // payment.
  const giveWay = status === 'incomplete' ? [] : replaced;
  for (const free of giveWay) {
    await endSubscription(session, free, { reason: 'upgraded_to_paid', thenFreePlan: false });
  }
  const superseded = several ? [] : await endWaiting(session, customer, others);
  const subscription = em.create(Subscription, {
    customer,
    price,
    currency,
    startDate,
    trialEnd,
    paidUntil: terms.paidUntil ?? null,
    isFreePlan,
    renews,
    status,
    name:
      terms.name ?? (price.name ? derivedName(`${product.name} - ${price.name}`) : product.name),
    interval: interval?.unit ?? null,
    intervalCount: interval?.count ?? null,
    billingCycleAnchorDate: renews ? (anchor ?? kept?.anchor ?? startDate) : null,
    anchored: anchor != null,
    remainingPeriods: terms.periodCount ?? null,
    draftWindowHours: terms.draftWindowHours ?? null,
    billAt: terms.billAt ?? null,
    commitment: terms.commitment ?? null,
    committed: terms.commitment != null,
    externalId: terms.externalId ?? null,
    runBillingAtPeriodStart: renews,
    doNotCharge: terms.doNotCharge ?? false,
    ...collection,
    metadata: terms.metadata ?? null,
    defaultPaymentMethod,
    backupPaymentMethod: terms.backupPaymentMethod ?? null,
    sole: !several,
    testClockId: customer.testClockId,
  });
  // The alerts of a customer watch each of its subscriptions. Rules give it alerts with the first one: where there are
  // others, a job does, since these are watched and compared with it.
  const isOnly = others.every(({ isTerminal }) => isTerminal);
  const hasAlerts = isOnly && (await followAlertRules(session, customer.id));
  await watchNew(session, subscription, { hasAlerts, isFirst });
  for (const one of [...giveWay, ...superseded]) one.replacedBySubscriptionId = subscription.id;
  const { discount, discountField: field = 'discountCode' } = terms;
  if (superseded.length > 0 || discount) await em.flush();
  for (const { id } of superseded) await carryUsage(session, id, subscription.id);
  if (discount)
    await redeemDiscount(session, discount, { customer, currency, subscription, field });
  const items = await addFirstItems(session, subscription, terms);
  await followItemTrials(session, subscription, items);
  const begins = subscription.status !== 'incomplete' || defaultPaymentMethod != null;
  if (renews && begins) {
    const period = openPeriod(session, subscription, items, {
      start: kept?.start ?? startDate,
      last: null,
    });
    await discountPeriod(session, subscription, period, items);
    await prorateFirst(session, period, kept ?? undefined);
    scheduleFirstRun(session, subscription, period);
    if (period.paidElsewhere || !isPaidFirst(subscription))
      await grantFirst(session, subscription, period, superseded.length === 0);
  } else if (begins) {
    await grantFirst(session, subscription, null, superseded.length === 0);
  }
  await em.flush();
  if (subscription.current && !isFirst) await grantPurchases(session, subscription);
  return subscription;
}

const noAnchor: ChosenAnchor = { path: '' };

function intervalOf({ price, interval, intervalCount }: Terms): Interval | null {
  const unit = interval ?? price.intervalUnit;
  return unit ? { unit, count: intervalCount ?? price.intervalCount ?? 1 } : null;
}

/**
 * The currency of a new subscription. Free ones have that of the customer. Errors: BAD_REQUEST for a price that is
 * not in it.
 */
async function currencyOf(
  session: Session,
  customer: Customer,
  terms: Terms,
  others: readonly Subscription[],
): Promise<string> {
  const { priceField = 'priceId' } = terms;
  const { currency } = terms.price;
  if (isFree(terms)) return agreedCurrency(customer, others) ?? currency;
  const why = await currencyConflict(session, customer, others, currency);
  if (why) throw invalid('MISMATCH', priceField, why);
  followCurrency(others, currency);
  return currency;
}

/** Whether it was the customer's one trial: a trial of a free plan uses up none. */
const usedTrial = ({ trialEnd, isCharged }: Subscription) => trialEnd != null && isCharged;

/** Whether credits are granted only with the first payment: a charged plan without a trial. */
const isPaidFirst = ({ isCharged, sendsInvoices, status }: Subscription) =>
  isCharged && !sendsInvoices && status !== 'trialing';

const grantFirst = (
  session: Session,
  subscription: Subscription,
  begun: BillingPeriod | null,
  isNew: boolean,
) => rollOverUsage(session, subscription, { ended: null, begun, grants: 'first', isNew });

function refuseAnother(
  { externalId }: Customer,
  current: readonly Subscription[],
  several: boolean,
) {
  const [other] = current;
  if (other && !several) {
    throw new DomainError(
      'CONFLICT',
      `Customer ${externalId} is already subscribed: cancel ${other.id}, or allow several subscriptions per customer`,
      { reason: 'ALREADY_SUBSCRIBED' },
    );
  }
}

/**
 * Ends incomplete subscriptions, so that a payment which arrives later does not make two current ones. One that is
 * being paid right now is refused instead. Returns the ended ones.
 */
async function endWaiting(session: Session, customer: Customer, others: readonly Subscription[]) {
  const waits = others.filter(({ status }) => status === 'incomplete');
  for (const waiting of waits) {
    const awaited = { subscription: waiting.id, status: { $in: [...openRunStatuses] } };
    if ((await session.em.count(BillingRun, awaited)) > 0) {
      throw new DomainError(
        'CONFLICT',
        `Customer ${customer.externalId} is paying for ${waiting.id}: wait for that, or cancel it`,
        { reason: 'IN_PROGRESS' },
      );
    }
    await endSubscription(session, waiting, { reason: 'other', thenFreePlan: false });
  }
  return waits;
}

/** The payment method when none is named: the customer's default. It stays with the subscription. */
async function usualMethod({ em }: Session, { id }: Customer, terms: Terms) {
  if (terms.doNotCharge || terms.price.type !== 'subscription' || isFree(terms)) return null;
  return em.findOne(PaymentMethod, { customer: id, default: true, detachedAt: null });
}
