import type { Session } from '#domain/kernel/session.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { CustomerAddress, EnteredTaxFacts, TaxId } from '#domain/model/platform/parties.ts';
import { connectedAccount } from '#domain/money/processing/connected-account.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { type CheckoutSummary, checkoutSummary } from './checkout-summary.ts';
import { hasEnded, subscriptionEnded } from './ended-subscription.ts';
import { codeOf, takesCodes } from './enter-code.ts';
import { ownFacts } from './entered-tax-facts.ts';

/** The content of the page of a checkout session. */
export interface ShownCheckout {
  readonly checkout: CheckoutSession;
  /** The status at the present: an open session may have expired, and its subscription may have ended. */
  readonly status: CheckoutSession['status'];
  /** Why it cannot be completed any more; null where it can. */
  readonly ending: string | null;
  readonly seller: string;
  /** The language of the customer, where it is known. */
  readonly language: string | null;
  readonly summary: CheckoutSummary | null;
  /** Whether the customer may enter codes of discounts. */
  readonly takesCodes: boolean;
  /** The discount of the order, and why it cannot be redeemed any more. */
  readonly code: Awaited<ReturnType<typeof codeOf>>;
  /** The tax ids that the customer has already, which the page does not change; null where one can be entered. */
  readonly knownTaxIds: readonly TaxId[] | null;
  /** Whether the sandbox is charged; else the customer pays on the page of a processor. */
  readonly isSandbox: boolean;
  /** The page where the customer confirms a pending payment. */
  readonly actionUrl: string | null;
  /** The values of the form that are known. */
  readonly values: Readonly<Record<string, string>>;
}

/** Whether the card of a checkout session is being charged, which takes a moment. A debit takes days. */
export const isExecuting = async (session: Session, checkout: CheckoutSession): Promise<boolean> =>
  checkout.status === 'pending' &&
  checkout.paymentMethodType === 'card' &&
  (await actionUrlOf(session, checkout)) === null;

/** Reads the content of the page of a checkout session. */
export async function readCheckout(
  session: Session,
  checkout: CheckoutSession,
  entered: EnteredTaxFacts | null = null,
): Promise<ShownCheckout> {
  const { now, livemode } = session;
  const { name: seller } = await settingsOf(session);
  const isLate = checkout.status === 'open' && !checkout.isOpenAt(now);
  const isOver = checkout.status === 'open' && (await hasEnded(checkout));
  const status = isLate ? 'expired' : isOver ? 'failed' : checkout.status;
  const customer = await checkout.customer?.loadOrFail();
  const { taxIds: known } = ownFacts(checkout, customer ?? null);
  return {
    checkout,
    status,
    ending: isOver ? subscriptionEnded : status === 'failed' ? (checkout.problem ?? null) : null,
    seller,
    language: customer?.language ?? null,
    summary: status === 'open' ? await checkoutSummary(session, checkout, entered) : null,
    takesCodes: takesCodes(checkout),
    code: status === 'open' ? await codeOf(session, checkout) : null,
    knownTaxIds: known.length > 0 ? known : null,
    isSandbox: !livemode && (await connectedAccount(session)) === null,
    actionUrl: status === 'pending' ? await actionUrlOf(session, checkout) : null,
    values: valuesOf(checkout, customer ?? null),
  };
}

/** The values of the form of a session that are known. */
export const knownValues = async (checkout: CheckoutSession): Promise<ShownCheckout['values']> =>
  valuesOf(checkout, (await checkout.customer?.loadOrFail()) ?? null);

function valuesOf(checkout: CheckoutSession, customer: Customer | null): ShownCheckout['values'] {
  const { taxIds: own } = ownFacts(checkout, customer);
  return {
    email: checkout.customerEmail ?? '',
    name: checkout.customerName ?? '',
    tax_id: own.length > 0 ? '' : (customer?.taxIds[0]?.value ?? ''),
    ...textsOf(checkout.billingAddress ?? customer?.billingAddress ?? null),
  };
}

async function actionUrlOf({ em }: Session, { purchaseId, subscriptionId }: CheckoutSession) {
  const of = subscriptionId ? { subscriptionId } : { purchaseId };
  const waiting = { ...of, status: 'requires_action' as const, actionUrl: { $ne: null } };
  return (await em.findOne(Payment, waiting))?.actionPage() ?? null;
}

/** The lines of the billing address that was entered, else of the customer’s. */
function textsOf(billingAddress: Pick<CustomerAddress, 'address'> | null): Record<string, string> {
  const lines = Object.entries(billingAddress?.address ?? {});
  return Object.fromEntries(lines.flatMap(([name, text]) => (text ? [[name, text]] : [])));
}
