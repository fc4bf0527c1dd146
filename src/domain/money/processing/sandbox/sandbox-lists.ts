import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxNotice } from '#domain/model/money/sandbox-objects.ts';
import type {
  ListedCharges,
  ListedEvents,
  ProcessorNotice,
} from '#domain/money/processing/port/processor-objects.ts';
import { chargeReferenceOf, intentReferenceOf, ownRecords } from './sandbox-records.ts';

const pageSize = 100;

/** A notice of the sandbox as the port describes it. */
const noticeOf = ({ id, type, dueAt, object, reference }: SandboxNotice): ProcessorNotice => ({
  id: `sandbox_evt_${id}`,
  type,
  createdAt: dueAt,
  object,
  reference,
  paymentId: null,
  livemode: false,
});

export async function listEvents(
  session: Session,
  { since, after }: { readonly since: Date; readonly after: string | null },
): Promise<ListedEvents> {
  const { organizationId, now } = session;
  const last = Number(after?.replace('sandbox_evt_', '') ?? 0);
  const rows = await ownRecords(session).find(
    SandboxNotice,
    { organizationId, id: { $gt: last }, dueAt: { $gte: since, $lte: now } },
    { orderBy: { id: 'asc' }, limit: pageSize },
  );
  return { events: rows.map(noticeOf), more: rows.length === pageSize };
}

export async function listCharges(
  session: Session,
  { from, to, after }: { readonly from: Date; readonly to: Date; readonly after: string | null },
): Promise<ListedCharges> {
  const { organizationId } = session;
  const rows = await ownRecords(session).find(
    SandboxCharge,
    {
      organizationId,
      chargedAt: { $gte: from, $lt: to },
      idempotencyKey: { $gt: after?.replace('sandbox_pi_', '') ?? '' },
    },
    { orderBy: { idempotencyKey: 'asc' }, limit: pageSize },
  );
  const charges = rows.map(({ idempotencyKey, status, amount, refunded, currency, ...row }) => ({
    reference: intentReferenceOf(idempotencyKey),
    chargeReference: status === 'succeeded' ? chargeReferenceOf(idempotencyKey) : null,
    paymentId: row.paymentId ?? null,
    status,
    amount,
    refundedAmount: refunded,
    currency,
    createdAt: row.chargedAt,
  }));
  return { charges, more: rows.length === pageSize };
}
