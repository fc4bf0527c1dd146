import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput, textInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { openInvoice } from '#domain/rules/invoicing/open-invoice.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import type { Invoice } from './invoice.ts';
import { linesInput, linesOf } from './lines-input.ts';

export const createInvoiceInput = z.object({
  invoice: z.object({
    customerId: z.string(),
    dueDate: instantInput.nullish(),
    memo: textInput.nullish(),
  }),
  invoiceLineItems: linesInput,
});

/**
 * Drafts an invoice without a subscription. Errors: BAD_REQUEST for an unknown or archived customer, an unknown
 * price, and amounts that are too large.
 */
export function createInvoice(
  session: Session,
  { invoice, invoiceLineItems }: z.output<typeof createInvoiceInput>,
): Promise<Invoice> {
  return command(session, async (session) => {
    const held = await lockCustomer(session, { id: invoice.customerId });
    if (!held)
      throw invalid('NOT_FOUND', 'invoice.customerId', `Unknown customer ${invoice.customerId}`);
    if (held.customer.archived)
      throw invalid('ARCHIVED', 'invoice.customerId', `${held.customer.id} is archived`);
    const lines = await linesOf(session, invoiceLineItems);
    const { dueDate, memo } = invoice;
    return openInvoice(
      held.session,
      held.customer,
      { type: 'standalone', status: 'draft', dueDate, memo },
      lines,
    );
  });
}
