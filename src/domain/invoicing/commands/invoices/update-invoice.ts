import { z } from 'zod';
import { sumOf, taxable, taxColumns, writeLines } from '#domain/invoicing/billing/open-invoice.ts';
import { taxRuleOf, taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, type Issue, invalid, invalidInput } from '#domain/kernel/errors.ts';
import { countryInput } from '#domain/kernel/inputs/countries.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { changesTo, instantInput, slugInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { amountsOf, taxTypes } from '#domain/model/catalog/tax.ts';
import { type Invoice, invoiceStatuses, invoiceTypes } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { lockInvoice } from '#domain/platform/locks/lock-invoice.ts';
import { linesInput, linesOf } from './lines-input.ts';

const text = z.string().max(255);

export const updateInvoiceInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    invoice: z
      .object(
        changesTo({
          id: z.string(),
          purchaseId: text,
          invoiceNumber: slugInput,
          invoiceDate: instantInput,
          billingPeriodId: text,
          dueDate: instantInput,
          customerId: text,
          status: z.enum(invoiceStatuses),
          subscriptionId: text,
          billingPeriodStartDate: instantInput,
          billingPeriodEndDate: instantInput,
          ownerMembershipId: text,
          pdfURL: text,
          receiptPdfURL: text,
          memo: textInput,
          bankPaymentOnly: z.boolean(),
          type: z.enum(invoiceTypes),
          currency: text,
          subtotal: z.int().min(-1),
          taxType: z.enum(taxTypes),
          taxCountry: countryInput,
          taxState: text,
        }),
      )
      .nullish(),
    invoiceLineItems: linesInput.nullish(),
  })
  .refine(
    ({ id, invoice }) => invoice?.id == null || invoice.id === id,
    coded('MISMATCH', ['invoice', 'id'], 'differs from the id in the path'),
  );

type Input = z.output<typeof updateInvoiceInput>;

/** The fields that a call may repeat, but not change, each with the reason. */
const fixed = {
  customerId: 'its number belongs to that customer, so draft another invoice',
  subscriptionId: 'the service itself invoices subscriptions',
  billingPeriodId: 'the service itself invoices billing periods',
  purchaseId: 'the service itself invoices purchases',
  type: 'an invoice by hand is for neither a subscription nor a purchase',
  currency: 'its lines are in that currency, so draft another invoice',
  status: 'finalize, void, pay or mark it as uncollectible with the operation for that',
  invoiceNumber: 'the numbers of a customer have no gaps, so the service assigns them',
} as const;
const fixedNames = Object.keys(fixed) as (keyof typeof fixed)[];

/**
 * Changes a draft: its dates, memo and tax place, and its lines as a whole. Null empties a field that may be empty. The
 * amounts follow from the lines; a given subtotal must equal theirs, or be -1. Errors: NOT_FOUND; BAD_REQUEST for an invoice that is no draft any more, for
 * fields that cannot change, and for lines of another invoice.
 */
export function updateInvoice(session: Session, input: Input): Promise<Invoice> {
  return command(session, async (session) => {
    const { invoice, session: atLock } = await lockInvoice(session, input.id);
    const changes = input.invoice ?? {};
    expectVersion(invoice, input.expectedVersion);
    if (invoice.status !== 'draft') {
      throw invalid(
        'NOT_DRAFT',
        'id',
        `${invoice.id} is ${invoice.status}: only drafts can be changed`,
      );
    }
    refuseFixed(invoice, changes);
    const { invoiceDate, dueDate, memo, bankPaymentOnly, ownerMembershipId } = changes;
    const { taxType, taxCountry, taxState, billingPeriodStartDate, billingPeriodEndDate } = changes;
    patch(invoice, { invoiceDate, bankPaymentOnly, taxType });
    patchNullable(invoice, { dueDate, memo, ownerMembershipId, taxCountry, taxState });
    patchNullable(invoice, { billingPeriodStartDate, billingPeriodEndDate });
    if (input.invoiceLineItems) await replaceLines(atLock, invoice, input.invoiceLineItems);
    await recompute(atLock, invoice);
    // The documented minimum, -1, is a subtotal that is still to be computed.
    const { subtotal = -1 } = changes;
    if (subtotal !== null && subtotal !== -1 && subtotal !== invoice.subtotal) {
      throw invalid(
        'MISMATCH',
        'invoice.subtotal',
        `must be ${invoice.subtotal} (${moneyText(invoice.subtotal, invoice.currency)}), the sum of the lines`,
      );
    }
    return invoice;
  });
}

/** Links that the service creates; a draft has none yet. */
const links = ['pdfURL', 'receiptPdfURL'] as const;

function refuseFixed(invoice: Invoice, changes: NonNullable<Input['invoice']>) {
  const issues: Issue[] = [
    ...fixedNames
      .filter((name) => changes[name] != null && changes[name] !== invoice[name])
      .map((name) =>
        refusal('IMMUTABLE', name, `cannot change: it is ${invoice[name]}; ${fixed[name]}`),
      ),
    ...(['taxType', 'taxCountry', 'taxState'] as const)
      .filter(
        (name) => invoice.taxLines && changes[name] != null && changes[name] !== invoice[name],
      )
      .map((name) => refusal('IMMUTABLE', name, 'cannot change: the tax rates of the place apply')),
    ...links
      .filter((name) => changes[name])
      .map((name) =>
        refusal('NOT_ALLOWED', name, 'cannot be set: the service creates it, and a draft has none'),
      ),
  ];
  if (issues.length > 0) throw new DomainError('BAD_REQUEST', invalidInput, { issues });
}

const refusal = (code: IssueCode, name: string, message: string): Issue => ({
  code,
  path: ['invoice', name],
  message,
});

async function replaceLines(
  session: Session,
  invoice: Invoice,
  input: NonNullable<Input['invoiceLineItems']>,
) {
  const { em } = session;
  const foreign = input.findIndex(({ invoiceId }) => invoiceId != null && invoiceId !== invoice.id);
  if (foreign >= 0) {
    throw invalid('MISMATCH', `invoiceLineItems.${foreign}.invoiceId`, `must be ${invoice.id}`);
  }
  const lines = await linesOf(session, input, invoice.currency);
  await em.nativeDelete(InvoiceLineItem, { invoice: invoice.id });
  const customer = await invoice.customer.loadOrFail();
  const rule = invoice.taxLines
    ? await taxRuleOf(session, customer, lines.map(taxable))
    : taxRuleOn(invoice);
  writeLines(session, invoice, lines, rule);
  if (invoice.taxLines) {
    patchNullable(invoice, taxColumns(rule, sumOf(lines)));
    patch(invoice, amountsOf(sumOf(lines), rule));
  }
  await em.flush();
}

/** Recomputes the amounts from lines and tax. */
async function recompute({ em }: Session, invoice: Invoice) {
  const lines = await em.find(InvoiceLineItem, { invoice: invoice.id });
  const { subtotal, taxAmount, total } = amountsOf(sumOf(lines), taxRuleOn(invoice));
  patch(invoice, { subtotal, taxAmount, total });
}
