import { z } from 'zod';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { largestCredit, PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { isOffered, offeredWords } from '#domain/model/platform/prepaid-offer.ts';
import type { LockedCustomer } from '#domain/platform/locks/lock-customer.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { type Order, placeOrder } from './create-prepaid-credit.ts';

export const buyPrepaidCreditInput = z.object({
  prepaidCredit: z.object({
    customerId: z.string(),
    amount: countInput.max(largestCredit),
    currency: currencyInput.nullish(),
    paymentMethodId: z.string().nullish(),
  }),
});

/**
 * Buys prepaid credit as its customer: within an offer of the organization, and one purchase at a time. It is the same
 * purchase as that of `createPrepaidCredit`, and is over if its first payment fails. Errors: FORBIDDEN where customers
 * may not buy; BAD_REQUEST for an amount or a currency that is not offered, while an earlier purchase is not paid, and
 * as for `createPrepaidCredit`.
 */
export const buyPrepaidCredit = (
  session: Session,
  { prepaidCredit: wanted }: z.output<typeof buyPrepaidCreditInput>,
): Promise<PrepaidCredit> =>
  placeOrder(session, { ...wanted, source: 'purchase', boughtByCustomer: true }, withinOffer);

async function withinOffer({ session, customer }: LockedCustomer, order: Order, currency: string) {
  const { customersMayBuyCredit, prepaidOffers } = await settingsOf(session);
  if (!customersMayBuyCredit) {
    const why = 'Customers may not buy prepaid credit: customersMayBuyCredit is false';
    throw new DomainError('FORBIDDEN', why);
  }
  const offer = prepaidOffers.find((one) => one.currency === currency);
  if (!offer) {
    const why = `is ${currency}: customers buy in ${prepaidOffers.map((one) => one.currency).join(', ')}`;
    throw invalid('MISMATCH', 'prepaidCredit.currency', why);
  }
  if (!isOffered(offer, order.amount))
    throw invalid('OUT_OF_RANGE', 'prepaidCredit.amount', offeredWords(offer));
  await refuseSecondPurchase(session, customer.id);
  return { ...order, validDays: offer.validDays };
}

/** One that waits for the confirmation of the customer does not count: the customer may leave it so. */
async function refuseSecondPurchase({ em }: Session, customer: string) {
  const pending = { customer, boughtByCustomer: true, grantedAt: null, voidedAt: null };
  const invoices = (await em.find(PrepaidCredit, pending)).flatMap((one) => one.invoiceId ?? []);
  const waiting = { invoice: { $in: invoices }, status: 'requires_action' as const };
  const left = new Set((await em.find(Payment, waiting)).map(({ invoiceId }) => invoiceId));
  const unpaid = invoices.find((id) => !left.has(id));
  if (!unpaid) return;
  const why = `has bought credit that is not paid yet, by ${unpaid}: wait for that payment`;
  throw invalid('INVALID_STATE', 'prepaidCredit.customerId', why);
}
