import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { openPayment } from './open-payment.ts';

/** An invoice that a charge pays, and the amount that is due of it. */
export interface Share {
  readonly invoice: Invoice;
  readonly subscription: Subscription | null;
  readonly due: number;
  /** The run that collects it, if one does. */
  readonly run?: BillingRun | null;
}

/** The number of invoices that the description of a charge names. */
const mostNamed = 5;

/**
 * Writes the payments of one charge for locked invoices, one for each. The processor is asked for their sum under the
 * key of the first one, which is returned.
 */
export async function openJointPayment(
  session: Session,
  shares: readonly [Share, ...Share[]],
  method: PaymentMethod,
): Promise<Payment> {
  const [first, ...others] = shares;
  const charged = await openPayment(session, first.invoice, method, first);
  if (others.length === 0) return charged;
  charged.chargeAmount = shares.reduce((sum, { due }) => sum + due, 0);
  charged.description = descriptionOf(await numbersOf(shares));
  for (const share of others) {
    const payment = await openPayment(session, share.invoice, method, share);
    payment.chargedWithId = charged.id;
    payment.checkDueAt = null;
  }
  return charged;
}

/** The numbers of the documents that a charge pays: that of a consolidated invoice in place of its members. */
async function numbersOf(shares: readonly Share[]): Promise<string[]> {
  const numbers = new Set<string>();
  for (const { invoice } of shares) {
    const document = await invoice.consolidatedInvoice?.loadOrFail();
    numbers.add((document ?? invoice).invoiceNumber);
  }
  return [...numbers];
}

function descriptionOf(numbers: readonly string[]): string {
  const named = numbers.slice(0, mostNamed).join(', ');
  const rest = numbers.length - mostNamed;
  return `${numbers.length > 1 ? 'Invoices' : 'Invoice'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`;
}
