import { LockMode } from '@mikro-orm/core';
import { findDiscount } from '#domain/catalog/find-discount.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createPrepaidCredit } from '#domain/money/commands/prepaid-credits/create-prepaid-credit.ts';
import { tokenHashOf } from '#domain/money/methods/add-method.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { subscribeLocked } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { freePlace, placesOf } from '#domain/subscriptions/periods/redeem-discount.ts';
import type { SourceCredit, SourceRedemption } from '../source/source.ts';
import type { Checked } from './check-subscriptions.ts';

/**
 * Part of a transaction: subscribes a locked customer with all terms of the source, so that no killed import leaves a
 * subscription that is charged for more. Errors: those of the commands.
 */
export async function takeOver(
  session: Session,
  customer: Customer,
  { one, input }: Checked,
): Promise<Subscription> {
  const { redemption, pause, endsWithPeriod, endsAt, paymentToken } = one;
  const method =
    paymentToken === undefined ? undefined : await methodOf(session, customer, paymentToken);
  const subscription = await subscribeLocked(session, customer, {
    ...input,
    keepsRetired: true,
    ...(method && { defaultPaymentMethodId: method.id }),
  });
  const { id } = subscription;
  // A customer has one trial here: without it this one would be charged now.
  if (one.trialEnd && !subscription.trialEnd) {
    const why = 'cannot be kept: the customer has had its one trial';
    throw invalid('NOT_ALLOWED', 'trialEnd', why);
  }
  if (redemption) await continueRedemption(session, subscription, redemption);
  await session.em.flush();
  if (endsWithPeriod) {
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(afresh(session), { id, cancellation });
  }
  if (endsAt) {
    const cancellation = { timing: 'at_date', cancelAt: endsAt } as const;
    await cancelSubscription(afresh(session), { id, cancellation });
  }
  if (pause) {
    // The other system collects no money meanwhile, and its customers keep what they have.
    const terms = { timing: 'immediately', entitlements: 'on', ...pause } as const;
    await pauseSubscription(afresh(session), { id, pause: terms });
  }
  return subscription;
}

/** The reason of a credit that an import gives, by which its repetition finds it. */
export const importedCredit = 'Imported balance';

/** Part of a transaction: gives a customer the money that it has in advance. Errors: those of a gift. */
export async function giveCredit(session: Session, customerId: string, credit: SourceCredit) {
  await session.em.flush();
  await createPrepaidCredit(afresh(session), {
    prepaidCredit: { customerId, source: 'gift', reason: importedCredit, ...credit },
  });
}

/**
 * Continues a discount that the other system has redeemed, with its terms there: those here may be others by now. It has
 * the payments that it still reduces, or the end of its months. It counts as a redemption, and leaves as many to others as before. No limit for each customer refuses it.
 */
async function continueRedemption(
  session: Session,
  subscription: Subscription,
  { code, size, payments, months }: SourceRedemption,
) {
  const { em } = session;
  const found = await findDiscount(session, { discountCode: code });
  if (!found) throw invalid('NOT_FOUND', 'discountCode', `Unknown code ${code}`);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const discount = await em.findOneOrFail(Discount, found.id, lock);
  discount.redemptionCount += 1;
  if (discount.redemptionLimit != null) discount.redemptionLimit += 1;
  em.create(DiscountRedemption, {
    discount,
    customer: subscription.customer,
    subscription,
    purchaseId: null,
    name: discount.name,
    code: discount.code,
    amountType: size.amountType,
    amount: size.amount,
    currency: size.currency ?? null,
    duration: months ? 'number_of_months' : durationOf(payments),
    numberOfPayments: payments === undefined || payments === 1 ? null : payments,
    numberOfMonths: months?.count ?? null,
    endsAt: months?.end ?? null,
    customerPlace: freePlace(await placesOf(session, discount, { id: subscription.customerId })),
  });
  await em.flush();
}

/** The duration of a number of payments; undefined for all. */
const durationOf = (payments: number | undefined) =>
  payments === undefined ? 'forever' : payments === 1 ? 'once' : 'number_of_payments';

/** The payment method of a customer with a token. Errors: BAD_REQUEST where it has none. */
async function methodOf({ em }: Session, customer: Customer, token: string) {
  const same = { customer: customer.id, tokenHash: tokenHashOf(token), detachedAt: null };
  const found = await em.findOne(PaymentMethod, same);
  if (found) return found;
  throw invalid('NOT_FOUND', 'defaultPaymentMethodId', `Unknown payment method ${token}`);
}
