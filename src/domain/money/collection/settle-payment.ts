import { amountDue, isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { command } from '#domain/kernel/command.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { closeOtherPage, isOtherPage } from '#domain/money/methods/action-page.ts';
import { keepMethod } from '#domain/money/methods/keep-method.ts';
import { type HeardOutcome, nextLookup } from '#domain/money/methods/payment-patience.ts';
import { acceptMethod, refuseMethod } from '#domain/money/methods/refused-method.ts';
import { dropCutShort, isCutShort } from '#domain/money/outcomes/cut-short.ts';
import { untriedBackup } from '#domain/money/outcomes/dunning.ts';
import { failPrepaidPurchase } from '#domain/money/outcomes/fail-prepaid-purchase.ts';
import { failTopUp } from '#domain/money/outcomes/follow-top-up.ts';
import { followFailure, followPaid, postponeRun } from '#domain/money/outcomes/run-outcomes.ts';
import { reopenCheckout } from '#domain/money/outcomes/settle-checkout.ts';
import { type LockedPayment, lockCharge } from '#domain/money/refunds/lock-payment.ts';
import { refundAll, refundPeriod } from '#domain/money/refunds/return-undue.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import type { BegunPayment } from './begin-payment.ts';
import { type ChargeOutcome, chargeOutcomes } from './charge-outcomes.ts';
import { type BackupShare, openBackups } from './open-backups.ts';

/** The next request to the processor. */
export interface Following {
  /** The payments by backup methods that follow now: one for each method. */
  readonly backups?: readonly BegunPayment[];
  /** The refunds of payments that are not due, or for periods that were cut short. */
  readonly refundIds?: readonly string[];
}

type Parts = Omit<LockedPayment, 'session'>;

/** The requests that follow for one payment of a charge. */
interface Next {
  readonly backup?: BackupShare;
  readonly refundIds?: readonly string[];
}

/**
 * Records the outcome of a charge, and applies it to its payments, their invoices, runs and subscriptions in one
 * transaction. A payment with a final status stays as it is. The charge, a lookup, a notice and the return of the
 * customer all end here, in any order and however often.
 */
export async function settlePayment(
  session: Session,
  paymentId: string,
  outcome: HeardOutcome,
): Promise<Following | undefined> {
  let isRecorded = false;
  let heard: Payment | undefined;
  const following = await command(session, async (session) => {
    const { session: atLock, customer, parts } = await lockCharge(session, paymentId);
    const [{ payment: charged }] = parts;
    heard = charged;
    isRecorded = charged.isPending;
    if (!isRecorded && !isLate(charged, outcome)) return undefined;
    const settle = isRecorded ? settlePending : settleLate;
    const refundIds: string[] = [];
    const shares: BackupShare[] = [];
    for (const part of parts) {
      const next = await settle(atLock, { customer, ...part }, outcome);
      refundIds.push(...(next?.refundIds ?? []));
      if (next?.backup) shares.push(next.backup);
    }
    return { backups: await openBackups(atLock, shares), refundIds };
  });
  if (heard && outcome.page) await closeOtherPage(afresh(session), heard, outcome);
  if (isRecorded && chargeOutcomes.hasSubscribers) {
    const { livemode } = session;
    chargeOutcomes.publish({ status: outcome.status, livemode } satisfies ChargeOutcome);
  }
  return following;
}

/** Applies the outcome of a charge to one of its pending payments. */
async function settlePending(
  session: Session,
  parts: Parts,
  outcome: HeardOutcome,
): Promise<Next | undefined> {
  const { payment } = parts;
  const { status } = outcome;
  if (isOtherPage(payment, outcome)) return undefined;
  noteDetails(payment, outcome);
  if (status === 'processing' || status === 'requires_action') {
    await wait(session, parts, outcome, status);
    return undefined;
  }
  payment.status = status;
  payment.checkDueAt = null;
  payment.waitOn(null);
  return status === 'succeeded'
    ? settlePaid(session, parts, outcome)
    : settleFailed(session, parts, outcome);
}

/**
 * Stores the details that the processor states of a charge; the others stay as they are. The payment that the processor
 * knows has the references.
 */
function noteDetails(payment: Payment, outcome: HeardOutcome) {
  if (!payment.chargedWithId) {
    payment.noteReference(outcome.reference);
    payment.chargeReference = outcome.chargeReference ?? payment.chargeReference ?? null;
    payment.processorReceiptUrl = outcome.receiptUrl ?? payment.processorReceiptUrl ?? null;
  }
  payment.declineCode = outcome.declineCode ?? payment.declineCode ?? null;
  payment.adviceCode = outcome.adviceCode ?? payment.adviceCode ?? null;
  payment.networkDeclineCode = outcome.networkDeclineCode ?? payment.networkDeclineCode ?? null;
}

/** The payment is not decided: it is looked up later, or waits for the customer on a page. */
async function wait(
  session: Session,
  { payment, run, subscription }: Parts,
  outcome: HeardOutcome,
  status: 'processing' | 'requires_action',
) {
  payment.status = status;
  if (outcome.failureKind === 'configuration') payment.failureKind = outcome.failureKind;
  const isKnown = !payment.chargedWithId;
  if (isKnown && outcome.page && outcome.page.reference !== payment.actionReference) {
    payment.actionReference = outcome.page.reference;
    payment.actionPageExpiresAt = outcome.page.expiresAt;
    payment.actionPages += 1;
  }
  const url = status === 'requires_action' ? (outcome.actionUrl ?? null) : null;
  payment.waitOn(url);
  if (url && !payment.actionExpiresAt) {
    const { paymentActionDays } = await settingsOf(session);
    payment.actionExpiresAt = new Date(session.now.getTime() + paymentActionDays * 86_400_000);
    if (subscription?.status === 'active') subscription.status = 'past_due';
  }
  if (isKnown) payment.checkDueAt = nextLookup(payment, outcome, session.now);
  if (run) run.dueAt = null;
}

async function settlePaid(
  session: Session,
  parts: Parts,
  { method }: HeardOutcome,
): Promise<Next | undefined> {
  const { payment, run, subscription, invoice } = parts;
  payment.settlementDate = session.now;
  payment.receiptNumber = invoice.invoiceNumber;
  payment.failureKind = null;
  await acceptMethod(session, payment, method);
  if (!run?.isAdjustment && (await isCutShort(invoice, subscription))) {
    const refund = await refundPeriod(session, parts);
    return refund ? { refundIds: [refund.id] } : undefined;
  }
  if (!invoice.isPayable) return { refundIds: [(await refundAll(session, parts)).id] };
  if (await isPaid(session, invoice)) await followPaid(session, { run, subscription, invoice });
  else invoice.status = 'open';
  if (method) await keepMethod(session, parts, method);
  return undefined;
}

/**
 * Whether a charge has taken money although a failure was stored. The adapters cancel what has failed, so this is the
 * work of someone at the processor, or of a processor that has changed its mind.
 */
const isLate = ({ status, isExternal }: Payment, outcome: HeardOutcome) =>
  outcome.status === 'succeeded' && !isExternal && ['failed', 'canceled'].includes(status);

/**
 * Settles money that arrives late like any other: it pays its invoice where exactly that is due. Otherwise it is
 * refunded, for example when another payment has paid the invoice meanwhile.
 */
async function settleLate(
  session: Session,
  parts: Parts,
  outcome: HeardOutcome,
): Promise<Next | undefined> {
  const { payment, invoice } = parts;
  const due = await amountDue(session, invoice);
  noteDetails(payment, outcome);
  payment.status = 'succeeded';
  payment.failureCode = null;
  payment.failureMessage = null;
  await session.em.flush();
  // An ended run stays as it is; its follow-up is aborted with the payment.
  const open = { ...parts, run: parts.run?.isOpen ? parts.run : null };
  if (invoice.isPayable && due === payment.amount) return settlePaid(session, open, outcome);
  payment.settlementDate = session.now;
  payment.receiptNumber = invoice.invoiceNumber;
  payment.failureKind = null;
  const refund = await refundAll(session, { ...open, run: null });
  return { refundIds: [refund.id] };
}

async function settleFailed(
  session: Session,
  { payment, invoice, run, subscription }: Parts,
  { status, failureCode, failureMessage, failureKind = null }: HeardOutcome,
): Promise<Next | undefined> {
  payment.failureCode = failureCode;
  payment.failureMessage = failureMessage;
  payment.failureKind = failureKind;
  await refuseMethod(session, payment);
  // An invoice that has been paid in another way, or is not to be paid any more, stays as it is.
  if (!invoice.isPayable) {
    if (run?.isOpen) run.end('aborted', 'The invoice is not to be paid any more');
    return undefined;
  }
  invoice.status = 'open';
  await session.em.flush();
  if (failureKind === 'configuration') {
    const reason = failureMessage ?? 'The payment processor refused the request';
    if (!payment.chargedWithId)
      report(session, payment.id, new Error(`${reason}: the customer is not dunned`));
    if (run && !run.isAdjustment) return postponeRun(session, run);
  }
  if (!subscription) {
    await reopenCheckout(session, { invoice, subscription }, payment);
    const problem = failureMessage ?? refusalReason(status);
    await failTopUp(session, invoice, problem);
    await failPrepaidPurchase(session, invoice, payment, problem);
    return undefined;
  }
  const isOver = await isCutShort(invoice, subscription);
  if (!run) {
    if (isOver) await dropCutShort(session, invoice, subscription);
    return undefined;
  }
  const method = isOver ? null : await untriedBackup(session, { run, subscription, invoice });
  if (method) return { backup: { method, run, subscription, invoice } };
  const reason = failureMessage ?? refusalReason(status);
  await followFailure(session, { run, subscription, invoice }, reason);
  if (subscription.isTerminal) await reopenCheckout(session, { invoice, subscription }, payment);
  return undefined;
}

const refusalReason = (status: HeardOutcome['status']) =>
  status === 'canceled' ? 'The payment has been canceled' : 'The payment has failed';
