import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/payments/sandbox-charge.ts';
import type {
  ChargeOutcome,
  ChargeRequest,
  PaymentProcessor,
  RefundRequest,
} from './payment-processor.ts';

const slowMilliseconds = 3_600_000;

const approved: ChargeOutcome = { status: 'succeeded', failureCode: null, failureMessage: null };
const declined = (failureCode: string, failureMessage: string): ChargeOutcome => ({
  status: 'failed',
  failureCode,
  failureMessage,
});
const insufficientFunds = declined('insufficient_funds', 'The card has insufficient funds');

/** The behavior of each test token, given the number of earlier charges of its payment method. */
const behaviours: Readonly<Record<string, (earlier: number) => ChargeOutcome>> = {
  sandbox_success: () => approved,
  sandbox_decline_insufficient_funds: () => insufficientFunds,
  sandbox_decline_expired_card: () => declined('expired_card', 'The card has expired'),
  sandbox_decline_then_success: (earlier) => (earlier === 0 ? insufficientFunds : approved),
  sandbox_requires_action: () => ({ ...approved, status: 'requires_action' }),
  sandbox_slow: () => ({ ...approved, status: 'processing' }),
  sandbox_error_after_charge: () => approved,
};

/**
 * A payment processor that moves no money: the token of the payment method decides the outcome. It keeps its own
 * records, each committed separately, as a real one would.
 */
export const sandboxProcessor: PaymentProcessor = {
  async charge(session, request) {
    if (request.token === 'sandbox_error_before_charge') throw unreachable();
    const outcome = await charge(ownRecords(session), request, session.now);
    if (request.token === 'sandbox_error_after_charge') throw unreachable();
    return outcome;
  },
  refund: (session, request) => refund(ownRecords(session), request),
  lookup: (session, idempotencyKey) => lookup(ownRecords(session), idempotencyKey, session.now),
  cancel: (session, idempotencyKey) => cancel(ownRecords(session), idempotencyKey, session.now),
};

/**
 * An EntityManager outside of the caller's transaction: the processor's records survive its rollback. In a dry run
 * they belong to the transaction and are rolled back with it.
 */
const ownRecords = ({ em, dryRun = false }: Session): EntityManager =>
  em.fork({ clear: true, disableTransactions: false, keepTransactionContext: dryRun });

const unreachable = () => new Error('The payment processor could not be reached');

async function charge(
  em: EntityManager,
  { idempotencyKey, amount, currency, token, paymentMethodId }: ChargeRequest,
  now: Date,
): Promise<ChargeOutcome> {
  return em.transactional(async (em) => {
    // Charges of one payment method run one after the other, so that all agree on the first one.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [paymentMethodId]);
    const known = await em.findOne(SandboxCharge, idempotencyKey);
    if (known) return outcomeOf(known);
    const earlier = await em.count(SandboxCharge, { paymentMethodId });
    const outcome = (behaviours[token] ?? (() => approved))(earlier);
    em.create(SandboxCharge, {
      idempotencyKey,
      paymentMethodId,
      amount,
      currency,
      chargedAt: now,
      ...outcome,
    });
    return outcome;
  });
}

function refund(em: EntityManager, { idempotencyKey, chargeKey, amount }: RefundRequest) {
  return em.transactional(async (em) => {
    const done = await em.execute(
      `update sandbox_charge set refunded = refunded + ?, refund_keys = refund_keys || ?::text
       where idempotency_key = ? and status = 'succeeded' and amount - refunded >= ? and not ? = any(refund_keys)
       returning 1`,
      [amount, idempotencyKey, chargeKey, amount, idempotencyKey],
    );
    if (done.length === 1) return 'succeeded';
    const known = await em.findOne(SandboxCharge, chargeKey);
    return known?.refundKeys.includes(idempotencyKey) ? 'succeeded' : 'failed';
  });
}

function lookup(em: EntityManager, idempotencyKey: string, now: Date) {
  return em.transactional(async (em) => {
    const known = await lockCharge(em, idempotencyKey, now);
    return known && outcomeOf(known);
  });
}

function cancel(em: EntityManager, idempotencyKey: string, now: Date) {
  return em.transactional(async (em) => {
    const known = await lockCharge(em, idempotencyKey, now);
    if (!known) return undefined;
    const isOpen = known.status === 'processing' || known.status === 'requires_action';
    if (isOpen) known.status = 'canceled';
    return outcomeOf(known);
  });
}

/** Locks a charge, so that a lookup and a cancellation do not both decide it. A slow one succeeds after 1 hour. */
async function lockCharge(em: EntityManager, idempotencyKey: string, now: Date) {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const known = (await em.findOne(SandboxCharge, idempotencyKey, { lockMode })) ?? undefined;
  const isDone =
    known?.status === 'processing' && now.getTime() - known.chargedAt.getTime() >= slowMilliseconds;
  if (isDone) known.status = 'succeeded';
  return known;
}

const outcomeOf = ({ status, failureCode, failureMessage }: SandboxCharge): ChargeOutcome => ({
  status,
  failureCode: failureCode ?? null,
  failureMessage: failureMessage ?? null,
});
