import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxRefund } from '#domain/model/money/sandbox-objects.ts';
import type {
  RefundOutcome,
  RefundRequest,
  RefundState,
} from '#domain/money/processing/port/charge-types.ts';
import { daysAfter } from './days-after.ts';
import { announce, chargeReferenceOf, intentReferenceOf, ownRecords } from './sandbox-records.ts';

const pendingDays = 2;
const failsAfterDays = 5;

/** Executes a refund once: never more than is left of the charge. */
export function refund(session: Session, request: RefundRequest): Promise<RefundOutcome> {
  const { idempotencyKey, chargeKey, amount, currency } = request;
  return ownRecords(session).transactional(async (em) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const charge = await em.findOne(SandboxCharge, chargeKey, lock);
    const known = await lockRefund(em, idempotencyKey, session.now);
    if (known) return outcomeOf(known);
    if (charge?.refundKeys.includes(idempotencyKey)) return executed(idempotencyKey);
    if (charge?.status !== 'succeeded' || charge.amount - charge.refunded < amount) return refused;
    charge.refunded += amount;
    charge.refundKeys = [...charge.refundKeys, idempotencyKey];
    const created = em.create(SandboxRefund, {
      idempotencyKey,
      organizationId: charge.organizationId,
      chargeKey,
      amount,
      currency,
      ...courseOf(charge.token, session.now),
    });
    if (created.settlesAt) {
      announce(em, charge.organizationId, {
        object: 'refund',
        type: `refund.${created.settlesAs}`,
        reference: referenceOf(idempotencyKey),
        chargeKey,
        dueAt: created.settlesAt,
      });
    }
    return outcomeOf(created);
  });
}

function courseOf(
  token: string,
  now: Date,
): Pick<SandboxRefund, 'status' | 'settlesAs' | 'settlesAt'> {
  if (token === 'sandbox_refund_pending') {
    return { status: 'pending', settlesAs: 'succeeded', settlesAt: daysAfter(now, pendingDays) };
  }
  if (token === 'sandbox_refund_fails_later') {
    return { status: 'succeeded', settlesAs: 'failed', settlesAt: daysAfter(now, failsAfterDays) };
  }
  return { status: 'succeeded', settlesAs: null, settlesAt: null };
}

/** Locks a refund, and brings it to its state at an instant. */
async function lockRefund(em: EntityManager, key: string, now: Date) {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const found = await em.findOne(SandboxRefund, key, lock);
  if (!found?.settlesAt || !found.settlesAs || found.settlesAt > now) return found;
  if (found.status === found.settlesAs) return found;
  found.status = found.settlesAs;
  if (found.status === 'failed') {
    const charge = await em.findOneOrFail(SandboxCharge, found.chargeKey, lock);
    charge.refunded -= found.amount;
  }
  return found;
}

export const lookupRefund = (session: Session, { idempotencyKey }: RefundRequest) =>
  ownRecords(session).transactional(async (em) => {
    const known = await lockRefund(em, idempotencyKey, session.now);
    return known ? outcomeOf(known) : undefined;
  });

export const readRefund = (session: Session, reference: string): Promise<RefundState | undefined> =>
  ownRecords(session).transactional(async (em) => {
    const known = await lockRefund(em, reference.replace('sandbox_re_', ''), session.now);
    if (!known) return undefined;
    return {
      ...outcomeOf(known),
      reference,
      paymentReference: intentReferenceOf(known.chargeKey),
      chargeReference: chargeReferenceOf(known.chargeKey),
      refundId: known.idempotencyKey.startsWith('refund_') ? known.idempotencyKey : null,
      amount: known.amount,
      currency: known.currency,
    };
  });

const referenceOf = (key: string) => `sandbox_re_${key}`;

const executed = (key: string): RefundOutcome => ({
  status: 'succeeded',
  reference: referenceOf(key),
  failureCode: null,
  failureMessage: null,
});

const refused: RefundOutcome = {
  status: 'failed',
  reference: null,
  failureCode: 'refused',
  failureMessage: 'The payment processor refused the refund',
};

const outcomeOf = ({ idempotencyKey, status }: SandboxRefund): RefundOutcome => ({
  status,
  reference: referenceOf(idempotencyKey),
  failureCode: status === 'failed' ? 'declined' : null,
  failureMessage: status === 'failed' ? 'The bank of the customer returned the refund' : null,
});
