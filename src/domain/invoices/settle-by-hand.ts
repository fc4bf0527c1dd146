import { z } from 'zod';
import { abortRetries } from '../billing-runs/abort-retries.ts';
import { followLastInvoice } from '../billing-runs/bill-last-usage.ts';
import { command } from '../command.ts';
import { returnCredit, useCredit } from '../customers/credit-balance.ts';
import { invalid } from '../errors.ts';
import type { Session } from '../session.ts';
import { refuseWhileCharged } from '../subscriptions/refuse-unadjustable.ts';
import type { Invoice, invoiceStatuses } from './invoice.ts';
import { lockInvoice } from './lock-invoice.ts';

export const invoiceIdInput = z.object({ id: z.string() });

type Input = z.output<typeof invoiceIdInput>;
type Status = (typeof invoiceStatuses)[number];

/** Makes a draft an invoice that is to be paid; nothing of it changes afterwards. Errors: NOT_FOUND; BAD_REQUEST. */
export const finalizeInvoice = (session: Session, input: Input): Promise<Invoice> =>
  move(session, input, ['draft'], 'open');

/** Takes an invoice back, as if it had not been written; its number stays taken. Errors: NOT_FOUND; BAD_REQUEST. */
export const voidInvoice = (session: Session, input: Input): Promise<Invoice> =>
  move(session, input, ['draft', 'open', 'uncollectible'], 'void');

/** Gives up being paid for an invoice. Errors: NOT_FOUND; BAD_REQUEST. */
export const markInvoiceUncollectible = (session: Session, input: Input): Promise<Invoice> =>
  move(session, input, ['open'], 'uncollectible');

/** One that stands there already is answered as it is. What is not to be paid is not tried again either. */
function move(session: Session, { id }: Input, from: readonly Status[], to: Status) {
  return command(session, async (session) => {
    const { invoice, customer, subscription, session: then } = await lockInvoice(session, id);
    if (invoice.status === to) return invoice;
    if (!from.includes(invoice.status)) {
      throw invalid(
        'id',
        `${id} is ${invoice.status}; it must be ${from.join(' or ')} to become ${to}`,
      );
    }
    await refuseWhileCharged(then, invoice);
    const wasGivenUp = invoice.status === 'uncollectible';
    invoice.status = to;
    if (to === 'open') {
      useCredit(customer, invoice);
      if (invoice.creditApplied > 0 && invoice.creditApplied === invoice.total)
        invoice.status = 'paid';
    } else {
      // One that was given up has given it back already.
      if (!wasGivenUp) await returnCredit(then, customer, invoice);
      await abortRetries(then, invoice, `The invoice is ${to}`);
      if (subscription) await followLastInvoice(then, subscription);
    }
    return invoice;
  });
}
