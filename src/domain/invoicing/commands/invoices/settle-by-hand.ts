import { z } from 'zod';
import { dueDateAfter, invoiceTerms } from '#domain/invoicing/billing/collection-terms.ts';
import { sendInvoice } from '#domain/invoicing/billing/send-invoice.ts';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { creditPayments } from '#domain/invoicing/crediting/credit-payments.ts';
import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import { expireCredit } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import type { Invoice, invoiceStatuses } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { leaveUnpaid } from '#domain/money/outcomes/leave-unpaid.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { lockInvoice } from '#domain/platform/locks/lock-invoice.ts';
import { refuseWhileCharged } from '#domain/subscriptions/adjusting/require-adjustable.ts';

export const invoiceIdInput = z.object({ id: z.string() });

type Input = z.output<typeof invoiceIdInput>;
type Status = (typeof invoiceStatuses)[number];

/**
 * Finalizes a draft, so that it is to be paid and does not change afterwards. One without an amount due is paid
 * immediately; one that is not charged is sent with its due date. Errors: NOT_FOUND; BAD_REQUEST.
 */
export const finalizeInvoice = (session: Session, input: Input): Promise<Invoice> =>
  move(session, input, ['draft'], 'open');

/**
 * Voids an invoice; its number stays taken. Its payments go to the credit balance. Errors: NOT_FOUND; BAD_REQUEST, also
 * where prepaid credit that it has bought is used or has expired.
 */
export const voidInvoice = (session: Session, input: Input): Promise<Invoice> =>
  move(session, input, ['draft', 'open', 'uncollectible'], 'void');

/** Writes off an invoice. Errors: NOT_FOUND; BAD_REQUEST. */
export const markInvoiceUncollectible = (session: Session, input: Input): Promise<Invoice> =>
  move(session, input, ['open'], 'uncollectible');

/**
 * Moves an invoice to a status; one that has it already is returned as it is. Retries of an invoice that is not to be
 * paid are aborted.
 */
function move(
  session: Session,
  { id }: Input,
  from: readonly Status[],
  to: 'open' | 'void' | 'uncollectible',
) {
  return command(session, async (session) => {
    const { invoice, customer, subscription, session: atLock } = await lockInvoice(session, id);
    if (invoice.status === to) return invoice;
    if (!from.includes(invoice.status)) {
      throw invalid(
        'INVALID_STATE',
        'id',
        `${id} is ${invoice.status}; it must be ${from.join(' or ')} to become ${to}`,
      );
    }
    await refuseWhileCharged(atLock, invoice);
    if (to === 'void') await refuseConsumed(atLock, customer, invoice);
    const wasGivenUp = invoice.status === 'uncollectible';
    if (to === 'open') {
      invoice.status = to;
      await useCredit(atLock, customer, invoice);
      if (invoice.creditApplied === invoice.total) {
        invoice.dueDate ??= atLock.now;
        await markPaid(atLock, { invoice, run: null, subscription });
      } else if (invoice.isSent) {
        invoice.dueDate ??= dueDateAfter(atLock.now, invoiceTerms(customer, undefined));
        sendInvoice(atLock, invoice);
      }
    } else {
      // An uncollectible invoice has returned its credit already.
      if (wasGivenUp) {
        invoice.status = to;
        await creditPayments(atLock, customer, invoice);
        await followBoughtCredit(atLock, invoice);
      } else await writeOffInvoice(atLock, invoice, to);
      await leaveUnpaid(atLock, { invoice, subscription });
    }
    return invoice;
  });
}

/**
 * Refuses to void an invoice that has bought prepaid credit of which a part is used or has expired: its payments would
 * return, and that part with them.
 */
async function refuseConsumed(session: Session, customer: Customer, invoice: Invoice) {
  const { id, prepaidCreditId, currency, status } = invoice;
  if (!prepaidCreditId) return;
  const credit = await session.em.findOneOrFail(PrepaidCredit, prepaidCreditId, { refresh: true });
  expireCredit(session, customer, credit);
  const { used, expired } = credit;
  if (used + expired === 0) return;
  const parts = [used && `${amountText(used, currency)} is used`]
    .concat(expired && `${amountText(expired, currency)} has expired`)
    .filter(Boolean);
  const next =
    status === 'uncollectible' ? 'it stays uncollectible' : 'mark it uncollectible instead';
  const why = `${id} has bought prepaid credit of which ${parts.join(' and ')}: ${next}`;
  throw invalid('INVALID_STATE', 'id', why);
}
