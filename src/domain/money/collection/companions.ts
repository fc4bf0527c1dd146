import { ref } from '@mikro-orm/core';
import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, unbegunRunStatuses } from '#domain/model/money/billing-run.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { pendingPayment } from '#domain/money/outcomes/pending-payment.ts';
import { replacingRun } from '#domain/subscriptions/adjusting/require-adjustable.ts';

/** An open member of a document with its run, which collects it now. */
export interface Companion {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
  readonly due: number;
}

/**
 * The other members of the document of an invoice that are to be collected with it: open ones with an amount due and a
 * run that may begin. A member that is being paid, or is not to be charged any more, is left to its own run.
 */
export async function companionsOf(session: Session, invoice: Invoice): Promise<Companion[]> {
  const { em, now } = session;
  const { consolidatedInvoiceId: consolidatedInvoice } = invoice;
  if (!consolidatedInvoice) return [];
  // The members of this transaction may not be stored yet.
  await em.flush();
  const others = { consolidatedInvoice, status: 'open' as const, id: { $ne: invoice.id } };
  const found: Companion[] = [];
  for (const other of await em.find(Invoice, others, { orderBy: { position: 'asc' } })) {
    const run = await em.findOne(BillingRun, {
      billingPeriod: other.billingPeriodId ?? '',
      purpose: 'period',
      status: { $in: [...unbegunRunStatuses] },
      scheduledFor: { $lte: now },
    });
    const subscription = await em.findOneOrFail(Subscription, other.subscriptionId ?? '');
    if (!run || subscription.isTerminal || subscription.doNotCharge) continue;
    if ((await replacingRun(session, other)) || (await pendingPayment(session, run, other.id)))
      continue;
    const due = await amountDue(session, other);
    if (due > 0) found.push({ run, invoice: other, subscription, due });
  }
  return found;
}

/** Notes that the run of a member is executed with that of another one; a payment decides when it is due again. */
export function follows({ run, invoice }: Companion) {
  run.invoice = ref(invoice);
  run.status = 'started';
  run.dueAt = null;
}
