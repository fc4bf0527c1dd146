import { z } from 'zod';
import { payingCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import { methodToCharge } from '#domain/invoicing/billing/payment-method-for.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput, instantInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { largestCredit, PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { openPayment } from '#domain/money/collection/open-payment.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { openPrepaidPurchase } from '#domain/money/outcomes/open-prepaid-purchase.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { type LockedCustomer, lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { prepaidTerms, requireTerms } from './prepaid-credit-input.ts';

export const createPrepaidCreditInput = z.object({
  prepaidCredit: z
    .object({
      customerId: z.string(),
      source: z.enum(['purchase', 'gift']),
      amount: countInput.max(largestCredit),
      currency: currencyInput.nullish(),
      ...prepaidTerms,
      expiresAt: instantInput.nullish(),
      paymentMethodId: z.string().nullish(),
      reason: textInput.nullish(),
    })
    .refine(
      ({ source, expiresAt }) => source === 'gift' || expiresAt == null,
      coded(
        'INVALID',
        'expiresAt',
        'is for gifts: bought credit expires validDays after it is paid',
      ),
    )
    .refine(
      ({ expiresAt, validDays }) => expiresAt == null || validDays == null,
      coded('INVALID', 'expiresAt', 'give either expiresAt or validDays'),
    )
    .refine(
      ({ source, paymentMethodId }) => source === 'purchase' || paymentMethodId == null,
      coded('INVALID', 'paymentMethodId', 'is for purchases: a gift is not charged'),
    )
    .superRefine(requireTerms),
});

export type Order = z.output<typeof createPrepaidCreditInput>['prepaidCredit'] & {
  readonly boughtByCustomer?: boolean;
};

/** Decides on the order of a locked customer in a currency, and may add terms to it. Errors: those of a refusal. */
export type Decide = (locked: LockedCustomer, order: Order, currency: string) => Promise<Order>;

/**
 * Creates prepaid credit of a customer. A gift is granted now. A purchase has an invoice, which is charged now or sent,
 * and is granted once that is paid. Errors: BAD_REQUEST for an unknown object, an archived customer, another currency
 * than the customer's, a time that has passed, and without a payment method.
 */
export const createPrepaidCredit = (
  session: Session,
  { prepaidCredit: order }: z.output<typeof createPrepaidCreditInput>,
): Promise<PrepaidCredit> => placeOrder(session, order, async (_locked, order) => order);

/** Creates what is ordered, in the steps of each purchase. Errors: as above, and those of `decide`. */
export async function placeOrder(
  session: Session,
  order: Order,
  decide: Decide,
): Promise<PrepaidCredit> {
  const { done, resumed } = await firstStep(afresh(session), (session) =>
    begin(session, order, decide),
  );
  const { creditId, paymentId } = done;
  if (paymentId) await chargePayment(session, { paymentId, resumed });
  return afresh(session).em.findOneOrFail(PrepaidCredit, creditId);
}

async function begin(session: Session, wanted: Order, decide: Decide) {
  const { customerId } = wanted;
  const locked = await lockCustomer(session, { id: customerId });
  if (!locked) {
    throw invalid('NOT_FOUND', 'prepaidCredit.customerId', `Unknown customer ${customerId}`);
  }
  const { customer, session: atLock } = locked;
  if (customer.archived) {
    throw invalid('ARCHIVED', 'prepaidCredit.customerId', `${customerId} is archived`);
  }
  const path = 'prepaidCredit.currency';
  const currency = await payingCurrency(atLock, customer, wanted.currency, path);
  const order = await decide(locked, wanted, currency);
  requireRoom(locked, order);
  return order.source === 'gift'
    ? { creditId: await give(locked, order, currency), paymentId: null }
    : buy(locked, order, currency);
}

/** Refuses credit that the balance has no room for. */
function requireRoom({ customer }: LockedCustomer, { amount }: Order) {
  const room = largestCredit - customer.prepaidBalance;
  if (amount <= room) return;
  const why = `must be at most ${room}: the prepaid balance of ${customer.id} has no room for more`;
  throw invalid('OUT_OF_RANGE', 'prepaidCredit.amount', why);
}

const termsOf = ({
  amount,
  priority,
  validDays,
  rollovers,
  rolloverLimit,
  reason,
  boughtByCustomer = false,
}: Order) => ({
  amount,
  boughtByCustomer,
  priority: priority ?? 50,
  validDays: validDays ?? null,
  rollovers: rollovers ?? null,
  rolloverLimit: rolloverLimit ?? null,
  reason: reason ?? null,
});

async function give({ session, customer }: LockedCustomer, order: Order, currency: string) {
  const { em, now } = session;
  const { expiresAt = null } = order;
  if (expiresAt && expiresAt <= now) {
    throw invalid('OUT_OF_RANGE', 'prepaidCredit.expiresAt', 'must be in the future');
  }
  const credit = em.create(PrepaidCredit, {
    ...termsOf(order),
    source: 'gift',
    currency,
    customer,
    invoice: null,
    expiresAt,
    grantedAt: null,
    voidedAt: null,
    expiryAnnounced: null,
  });
  credit.grant(now);
  customer.currency ??= currency;
  customer.prepaidBalance += credit.remaining;
  await em.flush();
  return credit.id;
}

async function buy({ session, customer }: LockedCustomer, order: Order, currency: string) {
  const path = 'prepaidCredit.paymentMethodId';
  const method = await methodToCharge(session, customer, path, order.paymentMethodId);
  const ordered = { ...termsOf(order), source: 'purchase', currency } as const;
  const { credit, invoice } = await openPrepaidPurchase(session, customer, ordered);
  const creditId = credit.id;
  if (await isPaid(session, invoice)) {
    await markPaid(session, { invoice, run: null, subscription: null });
    return { creditId, paymentId: null };
  }
  if (invoice.isSent) return { creditId, paymentId: null };
  if (!method) {
    const why = `is required: ${customer.externalId} has no default`;
    throw invalid('PAYMENT_METHOD_REQUIRED', path, why);
  }
  const payment = await openPayment(session, invoice, method, { subscription: null });
  return { creditId, paymentId: payment.id };
}
