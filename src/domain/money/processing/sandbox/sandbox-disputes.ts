import type { EntityManager } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import type { DisputeStatus } from '#domain/model/money/dispute.ts';
import type { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxDispute } from '#domain/model/money/sandbox-objects.ts';
import type { DisputeState } from '#domain/money/processing/port/processor-objects.ts';
import { daysAfter } from './days-after.ts';
import { announce, chargeReferenceOf, intentReferenceOf, ownRecords } from './sandbox-records.ts';

const openedDays = 1;
const decidedDays = 8;
/** In minor units. */
const fee = 1_500;

const courses: Readonly<Record<string, readonly [opened: DisputeStatus, decided: DisputeStatus]>> =
  {
    sandbox_dispute_won: ['opened', 'won'],
    sandbox_dispute_lost: ['opened', 'lost'],
    sandbox_dispute_inquiry: ['inquiry', 'inquiry_closed'],
  };

/** Opens the dispute of a new charge, if its token has one: after a day, and decided after 8 days. */
export function openDispute(em: EntityManager, charge: SandboxCharge, now: Date) {
  const course = courses[charge.token];
  if (!course) return;
  const { idempotencyKey: chargeKey, amount, currency, organizationId } = charge;
  const reference = `sandbox_du_${chargeKey}`;
  const [openedAt, decidesAt] = [daysAfter(now, openedDays), daysAfter(now, decidedDays)];
  const [status, decidesAs] = course;
  const dispute = {
    reference,
    organizationId,
    chargeKey,
    amount,
    currency,
    status,
    decidesAs,
    openedAt,
    decidesAt,
  };
  em.create(SandboxDispute, dispute);
  const notice = { object: 'dispute', reference, chargeKey } as const;
  announce(em, organizationId, { ...notice, type: 'dispute.opened', dueAt: openedAt });
  announce(em, organizationId, { ...notice, type: 'dispute.closed', dueAt: decidesAt });
}

/** The state of a dispute at the instant of the session; undefined before it is opened. */
export async function readDispute(
  session: Session,
  reference: string,
): Promise<DisputeState | undefined> {
  const found = await ownRecords(session).findOne(SandboxDispute, reference);
  if (!found || found.openedAt > session.now) return undefined;
  const status = found.decidesAt <= session.now ? found.decidesAs : found.status;
  const isInquiry = status.startsWith('inquiry');
  return {
    reference,
    paymentReference: intentReferenceOf(found.chargeKey),
    chargeReference: chargeReferenceOf(found.chargeKey),
    status,
    amount: found.amount,
    currency: found.currency,
    reason: 'fraudulent',
    withdrawnAmount: isInquiry || status === 'won' ? 0 : found.amount,
    fee: isInquiry ? 0 : fee,
    evidenceDueAt: found.decidesAt,
    openedAt: found.openedAt,
  };
}
