import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Share } from '#domain/money/outcomes/external-payment.ts';
import type { RecordPaymentInput } from './remittance-input.ts';

/** The largest over-payment, in minor units: more is a mistake, and sums of such amounts could not be counted. */
const mostCredited = 999_999_999_999;

/**
 * Divides a receipt among locked invoices, which are in their order, the oldest first. A named invoice gets all of
 * it, a list gets its amounts, and a customer's invoices get what is due, one after the other. The rest belongs to the
 * last of them and is credited to the customer. Errors: BAD_REQUEST.
 */
export async function allocate(
  session: Session,
  invoices: readonly Invoice[],
  amount: number,
  { allocations }: Pick<RecordPaymentInput, 'allocations'>,
): Promise<Share[]> {
  const shares = allocations
    ? await asListed(session, invoices, amount, allocations)
    : await oldestFirst(session, invoices, amount);
  const last = shares.at(-1);
  if (!last) throw invalid('INVALID_STATE', 'customerId', 'has no invoice that is to be paid');
  const rest = amount - shares.reduce((sum, share) => sum + share.amount, 0);
  if (rest > mostCredited) {
    const message = `must be at most ${amount - rest + mostCredited}: ${amount - rest} is due, and at most ${mostCredited} more is credited. Amounts are in minor units`;
    throw invalid('OUT_OF_RANGE', 'amount', message);
  }
  return [...shares.slice(0, -1), { ...last, credited: rest }];
}

async function oldestFirst(session: Session, invoices: readonly Invoice[], amount: number) {
  const shares: Share[] = [];
  let left = amount;
  for (const invoice of invoices) {
    const part = Math.min(left, await amountDue(session, invoice));
    if (part === 0) continue;
    left -= part;
    shares.push({ invoice, amount: part, credited: 0 });
  }
  const [first] = invoices;
  // Nothing is due of an invoice that was written off: the customer has the money as a credit.
  if (shares.length === 0 && first?.status === 'uncollectible') {
    shares.push({ invoice: first, amount: 0, credited: 0 });
  }
  return shares;
}

async function asListed(
  session: Session,
  invoices: readonly Invoice[],
  amount: number,
  allocations: NonNullable<RecordPaymentInput['allocations']>,
) {
  const sum = allocations.reduce((sum, one) => sum + one.amount, 0);
  const currency = invoices[0]?.currency ?? '';
  if (sum > amount) {
    throw invalid(
      'OUT_OF_RANGE',
      'allocations',
      `amount to ${amountText(sum, currency)}, more than the ${amountText(amount, currency)} received`,
    );
  }
  const shares: Share[] = [];
  for (const [index, one] of allocations.entries()) {
    const invoice = invoices.find(({ id }) => id === one.invoiceId) as Invoice;
    const due = await amountDue(session, invoice);
    if (one.amount > due) {
      throw invalid(
        'OUT_OF_RANGE',
        `allocations.${index}.amount`,
        `must be at most ${amountText(due, invoice.currency)}, the amount due of ${invoice.id}`,
      );
    }
    shares.push({ invoice, amount: one.amount, credited: 0 });
  }
  return shares;
}
