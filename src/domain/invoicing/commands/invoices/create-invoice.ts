import { z } from 'zod';
import { payingCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import { openInvoice } from '#domain/invoicing/billing/open-invoice.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { linesInput, linesOf } from './lines-input.ts';

export const createInvoiceInput = z.object({
  invoice: z.object({
    customerId: z.string(),
    currency: currencyInput.nullish(),
    dueDate: instantInput.nullish(),
    memo: textInput.nullish(),
  }),
  invoiceLineItems: linesInput,
});

/**
 * Drafts an invoice without a subscription, in the currency of its customer. Errors: BAD_REQUEST for an unknown or
 * archived customer, an unknown price, another currency, and amounts that are too large.
 */
export function createInvoice(
  session: Session,
  { invoice, invoiceLineItems }: z.output<typeof createInvoiceInput>,
): Promise<Invoice> {
  return command(session, async (session) => {
    const locked = await lockCustomer(session, { id: invoice.customerId });
    if (!locked)
      throw invalid('NOT_FOUND', 'invoice.customerId', `Unknown customer ${invoice.customerId}`);
    if (locked.customer.archived)
      throw invalid('ARCHIVED', 'invoice.customerId', `${locked.customer.id} is archived`);
    const currency = await payingCurrency(
      locked.session,
      locked.customer,
      invoice.currency,
      'invoice.currency',
    );
    const lines = await linesOf(session, invoiceLineItems, currency);
    const { dueDate, memo } = invoice;
    return openInvoice(
      locked.session,
      locked.customer,
      { purpose: 'manual', status: 'draft', currency, dueDate, memo },
      lines,
    );
  });
}
