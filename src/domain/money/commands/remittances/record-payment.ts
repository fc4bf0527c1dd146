import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import {
  ChargePending,
  cancelAtProcessor,
  endCanceledCharges,
  pendingCharges,
} from '#domain/money/collection/cancel-charge.ts';
import type { Share } from '#domain/money/outcomes/external-payment.ts';
import { settleByReceipt } from '#domain/money/outcomes/settle-by-receipt.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { allocate } from './allocate.ts';
import { receiptOf } from './receipt-of.ts';
import type { RecordPaymentInput } from './remittance-input.ts';
import { lockTarget, type Target } from './remittance-target.ts';

/**
 * Records money that was received without a processor, and pays invoices with it. A pending charge of one of them is
 * canceled first. Errors: NOT_FOUND; BAD_REQUEST for an invoice that is not to be paid, another currency and a time in
 * the future. BAD_REQUEST also for a taken reference, and a charge that cannot be canceled.
 */
export async function recordPayment(
  session: Session,
  input: RecordPaymentInput,
): Promise<Remittance> {
  const canceled = new Set<string>();
  for (;;) {
    try {
      const { done: id } = await firstStep(afresh(session), (session) =>
        receive(session, input, canceled),
      );
      return await afresh(session).em.findOneOrFail(Remittance, id);
    } catch (error) {
      if (!(error instanceof ChargePending)) throw error;
      for (const id of error.paymentIds) {
        await cancelAtProcessor(session, id);
        canceled.add(id);
      }
    }
  }
}

/** The one transaction of a receipt. `canceled` has the charges that the processor has canceled for it. */
async function receive(
  session: Session,
  input: RecordPaymentInput,
  canceled: ReadonlySet<string>,
): Promise<string> {
  const target = await lockTarget(session, input);
  const { session: atLock, customer } = target;
  const remittance = await receiptOf(target, input);
  const shares = await allocate(
    atLock,
    sameCurrency(target, input, remittance),
    remittance.amount,
    input,
  );
  await endCharges(atLock, shares, canceled);
  await atLock.em.flush();
  for (const share of shares) {
    await settleByReceipt(
      atLock,
      customer,
      remittance,
      share,
      target.subscriptionOf(share.invoice),
    );
  }
  return remittance.id;
}

/** The invoices in the currency of a receipt; another currency of a named invoice is refused. Errors: BAD_REQUEST. */
function sameCurrency(
  { invoices }: Target,
  { invoiceId, allocations }: RecordPaymentInput,
  { currency }: Remittance,
): readonly Invoice[] {
  const other = invoices.find((invoice) => invoice.currency !== currency);
  if (other && (invoiceId != null || allocations)) {
    const message = `must be ${other.currency}, the currency of ${other.id}`;
    throw invalid('MISMATCH', 'currency', message);
  }
  return invoices.filter((invoice) => invoice.currency === currency);
}

/** Ends the pending charges of invoices. Errors: ChargePending for one that is to be canceled first. */
async function endCharges(
  session: Session,
  shares: readonly Share[],
  canceled: ReadonlySet<string>,
) {
  const charges = await pendingCharges(
    session,
    shares.map(({ invoice }) => invoice),
  );
  const others = charges.filter(({ id }) => !canceled.has(id));
  if (others.length > 0) throw new ChargePending(others.map(({ id }) => id));
  await endCanceledCharges(session, charges);
}
