import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { chargeableMethod } from '#domain/money/methods/chargeable-method.ts';
import { patienceMilliseconds } from '#domain/money/methods/payment-patience.ts';
import { pendingPayment } from '#domain/money/outcomes/pending-payment.ts';
import type { Prepared } from '#domain/money/outcomes/prepare-invoice.ts';
import { followFailure, followPaid } from '#domain/money/outcomes/run-outcomes.ts';
import { sendInstead } from '#domain/money/outcomes/send-instead.ts';
import { unfitAmount } from '#domain/money/processing/unfit-amount.ts';
import { chargedPayment } from '#domain/money/refunds/joint-charge.ts';
import { type LockedRun, lockRun } from '#domain/platform/locks/lock-run.ts';
import { replacingRun } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import { awaitBoundaries } from './await-boundaries.ts';
import { type Companion, companionsOf, follows } from './companions.ts';
import { openJointPayment } from './open-joint-payment.ts';
import { prepareTogether } from './prepare-together.ts';

/** A payment that the processor is to execute. */
export interface BegunPayment {
  readonly paymentId: string;
  /** Whether an earlier request may have reached the processor; then its outcome is looked up first. */
  readonly resumed: boolean;
  /** Its row and its method, where this process has just written it. */
  readonly opened?: { readonly payment: Payment; readonly method: PaymentMethod };
}

/**
 * The first step of a run: writes its invoice, and the payment before the processor is asked for it. A run that has an
 * invoice continues there. Returns nothing where no payment follows: the run has ended, its invoice is sent instead, or
 * another payment of the invoice is pending, for which the run waits. Returns `prepared` for a new invoice that is not
 * to be charged: the feed shows it before what becomes of it, so that is another transaction, by a second call.
 */
export function beginPayment(
  session: Session,
  runId: string,
): Promise<BegunPayment | 'prepared' | undefined> {
  return command(session, async (session) => {
    const locked = await lockRun(session, runId);
    const { run, session: atLock } = locked;
    if (run.status === 'awaiting_payment_confirmation') {
      const pending = { billingRunId: run.id, status: { $in: [...pendingPaymentStatuses] } };
      const payment = await session.em.findOne(Payment, pending);
      // The payment that the processor knows is looked up by its own run, and when it is due itself.
      if (payment?.chargedWithId) run.dueAt = null;
      else if (payment) return { paymentId: payment.id, resumed: true };
      return undefined;
    }
    if (run.status === 'scheduled') {
      if (await awaitBoundaries(locked)) return undefined;
      const prepared = await prepareTogether(locked);
      if (!prepared) return undefined;
      const begun = await collect(locked, prepared);
      await prepared.bill();
      return begun;
    }
    const invoice = run.status === 'started' ? await run.invoice?.loadOrFail() : undefined;
    if (!invoice) return undefined;
    return collect(locked, { invoice, due: await amountDue(atLock, invoice), isNew: false });
  });
}

/**
 * Opens the payment of the invoice of a locked run that has started, if it is to be charged now. The members of a document
 * are sent, charged and dunned together.
 */
async function collect(
  { run, subscription, session }: LockedRun,
  { invoice, due, isNew }: Omit<Prepared, 'bill'>,
): Promise<BegunPayment | 'prepared' | undefined> {
  if (isNew && (due === 0 || invoice.isSent)) return 'prepared';
  const isReplaced = !isNew && !run.isAdjustment && (await replacingRun(session, invoice)) !== null;
  if (!isReplaced && due === 0) {
    await followPaid(session, { run, invoice, subscription });
    return undefined;
  }
  if (invoice.isSent) {
    const companions = await companionsOf(session, invoice);
    for (const each of companions) follows(each);
    for (const each of [{ run, invoice, subscription }, ...companions])
      await sendInstead(session, each);
    return undefined;
  }
  const other = await pendingPayment(session, run, invoice.id);
  if (other || isReplaced) {
    // An invoice has one payment at a time: when the other one fails, this run follows.
    const charged = other && (await chargedPayment(session, other));
    const settled = charged?.checkDueAt ?? session.now;
    run.dueAt = new Date(settled.getTime() + patienceMilliseconds);
    return undefined;
  }
  const { method, reason } = await chargeableMethod(session, subscription);
  if (!method) {
    if (isNew) return 'prepared';
    const companions = await companionsFor(session, { invoice, due }, null);
    for (const each of [{ run, invoice, subscription }, ...companions])
      await followFailure(session, each, reason);
    return undefined;
  }
  const companions = await companionsFor(session, { invoice, due }, method);
  const own = { run, invoice, subscription, due };
  const payment = await openJointPayment(session, [own, ...companions], method);
  return { paymentId: payment.id, resumed: false, opened: { payment, method } };
}

/**
 * The other members of the document that are collected now by the same payment method, or have none to charge. A member
 * whose part the processor could not refund alone is charged by itself.
 */
async function companionsFor(
  session: Session,
  { invoice, due }: Pick<Prepared, 'invoice' | 'due'>,
  method: PaymentMethod | null,
): Promise<Companion[]> {
  const isUnfit = (amount: number) =>
    method !== null && unfitAmount(method, amount, invoice.currency) !== undefined;
  if (isUnfit(due)) return [];
  const alike: Companion[] = [];
  for (const companion of await companionsOf(session, invoice)) {
    const own = await chargeableMethod(session, companion.subscription);
    if (own.method?.id === method?.id && !isUnfit(companion.due)) alike.push(companion);
  }
  for (const companion of alike) follows(companion);
  return alike;
}
