import type { CustomerAddress } from '#domain/invoices/parties.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { connectedAccount } from '#domain/rules/processing/connected-account.ts';
import { settingsOf } from '#domain/rules/reads/settings-of.ts';
import type { CheckoutSession } from './checkout-session.ts';
import { type CheckoutSummary, checkoutSummary } from './checkout-summary.ts';
import { hasEnded, subscriptionEnded } from './ended-subscription.ts';

/** The content of the page of a checkout session. */
export interface ShownCheckout {
  readonly checkout: CheckoutSession;
  /** The status at the present: an open session may have expired, and its subscription may have ended. */
  readonly status: CheckoutSession['status'];
  /** Why it cannot be completed any more; null where it can. */
  readonly ending: string | null;
  readonly seller: string;
  readonly summary: CheckoutSummary | null;
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
): Promise<ShownCheckout> {
  const { now, livemode } = session;
  const { name: seller } = await settingsOf(session);
  const isLate = checkout.status === 'open' && !checkout.isOpenAt(now);
  const isOver = checkout.status === 'open' && (await hasEnded(checkout));
  const status = isLate ? 'expired' : isOver ? 'failed' : checkout.status;
  const customer = await checkout.customer?.loadOrFail();
  return {
    checkout,
    status,
    ending: isOver ? subscriptionEnded : status === 'failed' ? (checkout.problem ?? null) : null,
    seller,
    summary: status === 'open' ? await checkoutSummary(session, checkout) : null,
    isSandbox: !livemode && (await connectedAccount(session)) === null,
    actionUrl: status === 'pending' ? await actionUrlOf(session, checkout) : null,
    values: {
      email: checkout.customerEmail ?? '',
      name: checkout.customerName ?? '',
      ...textsOf(checkout.billingAddress ?? customer?.billingAddress ?? null),
    },
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
