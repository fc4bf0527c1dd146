import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/payments/sandbox-charge.ts';
import type {
  ChargeOutcome,
  ChargeRequest,
  FailureKind,
  RefundOutcome,
  RefundRequest,
} from '../charge-types.ts';
import type { ProcessorCharges } from '../payment-processor.ts';
import { ProcessorUnreachable } from '../processor-errors.ts';

const slowMilliseconds = 3_600_000;

/** What a test token decides. */
type Decision = Pick<ChargeOutcome, 'status' | 'failureCode' | 'failureMessage' | 'failureKind'>;

const approved: Decision = {
  status: 'succeeded',
  failureCode: null,
  failureMessage: null,
  failureKind: null,
};
const declined = (
  failureKind: FailureKind,
  failureCode: string,
  failureMessage: string,
): Decision => ({ status: 'failed', failureCode, failureMessage, failureKind });
const insufficientFunds = declined('soft', 'insufficient_funds', 'The card has insufficient funds');
const expiredCard = declined('card_data', 'expired_card', 'The card has expired');

/** The behavior of each test token, given the number of earlier charges of its payment method. */
const behaviours: Readonly<Record<string, (earlier: number) => Decision>> = {
  sandbox_success: () => approved,
  sandbox_decline_insufficient_funds: () => insufficientFunds,
  sandbox_decline_expired_card: () => expiredCard,
  sandbox_decline_then_success: (earlier) => (earlier === 0 ? insufficientFunds : approved),
  sandbox_requires_action: () => ({ ...approved, status: 'requires_action' }),
  sandbox_slow: () => ({ ...approved, status: 'processing' }),
  sandbox_error_after_charge: () => approved,
};

/**
 * A payment processor that moves no money: the token of the payment method decides the outcome. It keeps its own
 * records, each committed separately, as a real one would.
 */
export const sandboxProcessor: ProcessorCharges = {
  async charge(session, request) {
    if (request.token === 'sandbox_error_before_charge') throw new ProcessorUnreachable();
    const outcome = await charge(ownRecords(session), request, session.now);
    if (request.token === 'sandbox_error_after_charge') throw new ProcessorUnreachable();
    return outcome;
  },
  refund: (session, request) => refund(ownRecords(session), request),
  lookup: (session, name) => lookup(ownRecords(session), name.idempotencyKey, session.now),
  cancel: (session, name) => cancel(ownRecords(session), name.idempotencyKey, session.now),
  lookupRefund: (session, request) => lookupRefund(ownRecords(session), request),
};

/**
 * An EntityManager outside of the caller's transaction: the processor's records survive its rollback. In a dry run
 * they belong to the transaction and are rolled back with it.
 */
const ownRecords = ({ em, dryRun = false }: Session): EntityManager =>
  em.fork({ clear: true, disableTransactions: false, keepTransactionContext: dryRun });

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
    const { failureKind: _, ...decision } = (behaviours[token] ?? (() => approved))(earlier);
    const charge = em.create(SandboxCharge, {
      idempotencyKey,
      paymentMethodId,
      amount,
      currency,
      chargedAt: now,
      ...decision,
    });
    return outcomeOf(charge);
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
    if (done.length === 1) return refundOutcome('succeeded', idempotencyKey);
    const known = await em.findOne(SandboxCharge, chargeKey);
    const isDone = known?.refundKeys.includes(idempotencyKey);
    return refundOutcome(isDone ? 'succeeded' : 'failed', idempotencyKey);
  });
}

async function lookupRefund(em: EntityManager, { idempotencyKey, chargeKey }: RefundRequest) {
  const known = await em.findOne(SandboxCharge, chargeKey);
  const isDone = known?.refundKeys.includes(idempotencyKey);
  return isDone ? refundOutcome('succeeded', idempotencyKey) : undefined;
}

const refundOutcome = (status: 'succeeded' | 'failed', key: string): RefundOutcome => ({
  status,
  reference: `sandbox_re_${key}`,
  failureCode: status === 'failed' ? 'refused' : null,
  failureMessage: status === 'failed' ? 'The payment processor refused the refund' : null,
});

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

const kinds: Readonly<Record<string, FailureKind>> = {
  insufficient_funds: 'soft',
  expired_card: 'card_data',
};

const outcomeOf = (charge: SandboxCharge): ChargeOutcome => ({
  status: charge.status,
  reference: `sandbox_pi_${charge.idempotencyKey}`,
  chargeReference: charge.status === 'succeeded' ? `sandbox_ch_${charge.idempotencyKey}` : null,
  failureCode: charge.failureCode ?? null,
  failureMessage: charge.failureMessage ?? null,
  declineCode: charge.failureCode ?? null,
  adviceCode: null,
  networkDeclineCode: null,
  failureKind: kinds[charge.failureCode ?? ''] ?? null,
  actionUrl: null,
  receiptUrl: null,
  methodData: null,
  amount: charge.amount,
  currency: charge.currency,
});
