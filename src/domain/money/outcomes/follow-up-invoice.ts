import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockInvoice } from '#domain/platform/locks/lock-invoice.ts';
import { lockInvoices } from '#domain/platform/locks/lock-invoices.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { concludeDunning } from './dunning.ts';

const dayMilliseconds = 86_400_000;

/**
 * Follows up an invoice that was sent and is due for it: it becomes overdue once, then there is one reminder after
 * each of the organization's pauses. With the last one follows the final action, as after a failed charge. An
 * invoice that is paid, void or being charged is left alone. The members of a document are followed up together.
 */
export function followUpInvoice(session: Session, id: string): Promise<void> {
  return command(session, async (session) => {
    const { consolidatedInvoiceId, customerId } = await session.em.findOneOrFail(Invoice, id);
    if (!consolidatedInvoiceId) {
      const { invoice, subscription, session: atLock } = await lockInvoice(session, id);
      return followUp(atLock, invoice, subscription);
    }
    const members = { consolidatedInvoice: consolidatedInvoiceId };
    const { session: atLock, ...locked } = await lockInvoices(session, customerId, members);
    for (const member of locked.invoices) {
      await followUp(atLock, member, locked.subscriptionOf(member));
    }
  });
}

async function followUp(session: Session, invoice: Invoice, subscription: Subscription | null) {
  const { followUpDueAt } = invoice;
  if (!followUpDueAt || followUpDueAt > session.now || invoice.status !== 'open') return;
  if (invoice.overdueAt) invoice.reminderCount += 1;
  else invoice.overdueAt = session.now;
  const { dunningRetryDays } = await settingsOf(session);
  const pause = dunningRetryDays[invoice.reminderCount];
  invoice.followUpDueAt =
    pause === undefined ? null : new Date(session.now.getTime() + pause * dayMilliseconds);
  await owe(session, invoice, subscription);
  await session.em.flush();
  if (pause === undefined && subscription) await concludeDunning(session, subscription, invoice);
}

/** Makes the period and the subscription of an overdue invoice past due. */
async function owe({ em }: Session, invoice: Invoice, subscription: Subscription | null) {
  if (!subscription || !['period', 'adjustment', 'threshold'].includes(invoice.purpose)) return;
  if (subscription.status === 'active') subscription.status = 'past_due';
  if (invoice.purpose !== 'period' || !invoice.billingPeriodId) return;
  const period = await em.findOneOrFail(BillingPeriod, invoice.billingPeriodId);
  if (period.status !== 'canceled') period.status = 'past_due';
}
