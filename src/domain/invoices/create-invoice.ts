import { z } from 'zod';
import type { Customer } from '#domain/customers/customer.ts';
import { command } from '#domain/kernel/command.ts';
import { currencyInput } from '#domain/kernel/currencies.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput, textInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { defaultCurrency } from '#domain/rules/catalog/currency.ts';
import {
  agreedCurrency,
  currencyConflict,
  followCurrency,
} from '#domain/rules/invoicing/agree-on-currency.ts';
import { openInvoice } from '#domain/rules/invoicing/open-invoice.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import { lockSubscriptionsOf } from '#domain/rules/locks/lock-subscription.ts';
import type { Invoice } from './invoice.ts';
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
    const currency = await currencyOf(locked.session, locked.customer, invoice.currency);
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

/** The currency of an invoice: the named one, else that of its customer. Errors: BAD_REQUEST for another one. */
async function currencyOf(
  session: Session,
  customer: Customer,
  named: string | null | undefined,
): Promise<string> {
  if (customer.currency != null && (named ?? customer.currency) === customer.currency)
    return customer.currency;
  const subscriptions = await lockSubscriptionsOf(session, customer.id);
  const currency =
    named ?? agreedCurrency(customer, subscriptions) ?? (await defaultCurrency(session));
  const why = await currencyConflict(session, customer, subscriptions, currency);
  if (why) throw invalid('MISMATCH', 'invoice.currency', why);
  followCurrency(subscriptions, currency);
  return currency;
}
