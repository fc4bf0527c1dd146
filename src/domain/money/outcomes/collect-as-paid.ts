import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { chargeableMethod } from '#domain/money/methods/chargeable-method.ts';
import { lockRun } from '#domain/platform/locks/lock-run.ts';
import { followPaid } from './run-outcomes.ts';
import { sendInstead } from './send-instead.ts';

/**
 * Follows a new invoice in a rehearsal of billing as if its charge had succeeded: it is sent or paid. One that no payment
 * method can pay stays open.
 */
export function collectAsPaid(session: Session, invoiceId: string): Promise<void> {
  return command(session, async (session) => {
    const started = { invoice: invoiceId, status: 'started' } as const;
    const found = await session.em.findOne(BillingRun, started);
    if (!found) return;
    const { run, subscription, session: atLock } = await lockRun(session, found.id);
    const invoice = await run.invoice?.loadOrFail();
    if (!invoice) return;
    if (invoice.isSent) return sendInstead(atLock, { run, invoice, subscription });
    const isCovered = invoice.creditApplied >= invoice.total;
    if (!isCovered && !(await chargeableMethod(atLock, subscription)).method) return;
    await followPaid(atLock, { run, invoice, subscription });
  });
}
