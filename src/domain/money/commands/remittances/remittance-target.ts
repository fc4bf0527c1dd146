import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { lockInvoices } from '#domain/platform/locks/lock-invoices.ts';
import { refuseWhileReplaced } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import type { RecordPaymentInput } from './remittance-input.ts';

/** The invoices that a receipt may pay, locked with their customer. */
export type Target = Awaited<ReturnType<typeof lockTarget>>;

/** Locks the customer and the invoices that a receipt names. Errors: NOT_FOUND; BAD_REQUEST. */
export async function lockTarget(session: Session, input: RecordPaymentInput) {
  const ids = await namedInvoices(session, input);
  const customerId = await customerOf(session, input, ids);
  const where = ids ? { id: { $in: ids } } : { status: { $in: [...payableStatuses] } };
  const locked = await lockInvoices(session, customerId, where);
  for (const invoice of ids ? locked.invoices : []) {
    if (invoice.isPayable || invoice.status === 'uncollectible') continue;
    const { id, status } = invoice;
    throw invalid(
      'INVALID_STATE',
      pathOf(input),
      `${id} is ${status}: only an open invoice is paid`,
    );
  }
  for (const invoice of locked.invoices) await refuseWhileReplaced(locked.session, invoice);
  return locked;
}

const pathOf = ({ allocations }: RecordPaymentInput) => (allocations ? 'allocations' : 'invoiceId');

async function namedInvoices({ em }: Session, input: RecordPaymentInput) {
  const { invoiceId, allocations } = input;
  if (invoiceId != null) return [(await em.findOneOrFail(Invoice, invoiceId)).id];
  if (!allocations) return undefined;
  const ids = allocations.map(({ invoiceId }) => invoiceId);
  for (const [index, id] of ids.entries()) {
    const path = `allocations.${index}.invoiceId`;
    if (ids.indexOf(id) < index) throw invalid('INVALID', path, `names ${id} a second time`);
    if (!(await em.findOne(Invoice, id))) throw invalid('NOT_FOUND', path, `Unknown invoice ${id}`);
  }
  return ids;
}

/** The one customer of the invoices, of the expected payment, or that is named. */
async function customerOf({ em }: Session, input: RecordPaymentInput, ids: string[] | undefined) {
  const { customerId, remittanceId } = input;
  const invoices = ids ? await em.find(Invoice, { id: { $in: ids } }) : [];
  const owners = new Set(invoices.map((invoice) => invoice.customerId));
  if (remittanceId != null)
    owners.add((await em.findOneOrFail(Remittance, remittanceId)).customerId);
  if (customerId != null) {
    const customer = await em.findOne(Customer, customerId);
    if (!customer) throw invalid('NOT_FOUND', 'customerId', `Unknown customer ${customerId}`);
    owners.add(customer.id);
  }
  const [owner, other] = owners;
  if (other) throw invalid('MISMATCH', pathOf(input), 'must be of one customer');
  return owner as string;
}
