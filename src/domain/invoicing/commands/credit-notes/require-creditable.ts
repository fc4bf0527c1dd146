import { amountDue, unreturned } from '#domain/invoicing/crediting/amount-paid.ts';
import { creditable, uncredited, unusedOf } from '#domain/invoicing/crediting/credit-invoices.ts';
import { keptPrepaid } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { refundableParts } from '#domain/invoicing/crediting/refund-invoices.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { refuseWhileCharged } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import type { CreditNoteInput } from './credit-note-input.ts';

const path = 'creditNote.invoiceId';

/** Refuses credit notes for an invoice that is not finalized, and for one that is credited in full. */
export async function requireCreditable(
  session: Session,
  invoice: Invoice,
  { settle }: CreditNoteInput,
) {
  const { id, status } = invoice;
  if (status === 'draft')
    throw invalid('INVALID_STATE', path, `${id} is a draft: change or void it instead`);
  if (status === 'void') throw invalid('INVALID_STATE', path, `${id} is void: nothing is owed`);
  if ((await uncredited(session, invoice)) === 0)
    throw invalid('INVALID_STATE', path, `${id} has been credited in full`);
  if (settle !== 'write_off') return;
  if (status === 'awaiting_payment_confirmation') {
    const message = `${id} is being paid: wait until the payment has succeeded or failed`;
    throw invalid('IN_PROGRESS', path, message);
  }
  await refuseWhileCharged(session, invoice);
}

interface Wanted {
  readonly settle: CreditNoteInput['settle'];
  readonly total: number;
  /** The field that names the amount. */
  readonly path: string;
}

const reasons = {
  refund: 'the payments that can be refunded',
  credit: 'the amount that is paid and not returned',
  write_off: 'the amount that is due',
} as const;

const unusedCredit = 'what is unused of the prepaid credit that the invoice has bought';

/** Refuses a credit note of which not all can be settled in the wanted way. */
export async function requireSettleable(session: Session, invoice: Invoice, wanted: Wanted) {
  const { settle, total, path } = wanted;
  const most = await settleable(session, invoice, settle);
  if (total <= most) return;
  const limit = amountText(most, invoice.currency);
  const why = settle !== 'write_off' && invoice.prepaidCreditId ? unusedCredit : reasons[settle];
  const message = `must be at most ${limit} with tax, ${why}`;
  throw invalid(
    'OUT_OF_RANGE',
    path,
    most > 0 ? message : `${message}${otherWay(invoice, settle)}`,
  );
}

/** The next step where nothing can be settled in the wanted way. */
function otherWay({ isPayable }: Invoice, settle: Wanted['settle']): string {
  if (isPayable && settle !== 'write_off') return ': an unpaid invoice is settled by write_off';
  return !isPayable && settle === 'write_off'
    ? ': a paid invoice is settled by refund or credit'
    : '';
}

async function settleable(session: Session, invoice: Invoice, settle: Wanted['settle']) {
  const unused = await unusedOf(session, invoice);
  if (settle === 'credit') return Math.min(unused, await creditable(session, invoice));
  if (settle === 'write_off') return invoice.isPayable ? amountDue(session, invoice) : 0;
  const parts = await refundableParts(session, invoice);
  const refundable = parts.reduce((sum, { refundable }) => sum + refundable, 0);
  // An amount that credit notes have returned already is not refunded as well.
  const kept = (await unreturned(session, invoice)) - (await keptPrepaid(session, invoice));
  return Math.max(0, Math.min(refundable, unused, kept));
}
