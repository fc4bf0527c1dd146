import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { SandboxNotice } from '#domain/payments/sandbox-objects.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { applyNotice } from './apply-notice.ts';

/** Applies a notice of the sandbox as its webhook would; an object that is unknown is not noticed again. */
export async function deliverSandboxNotice(session: Session, id: number): Promise<void> {
  const { em } = afresh(session);
  const notice = await em.findOneOrFail(SandboxNotice, id);
  if (notice.deliveredAt) return;
  const { object, reference, chargeKey } = notice;
  const payment = await em.findOne(Payment, { idempotencyKey: chargeKey ?? '' });
  const paymentId = payment?.id ?? null;
  await applyNotice(session, { object, reference, paymentId, processor: 'sandbox' });
  notice.deliveredAt = session.now;
  await em.flush();
}

/** The earliest notice of the sandbox about payments on a test clock that is due by an instant. */
export async function nextSandboxNotice({ em }: Session, testClockId: string, by: Date) {
  const [found] = await em.execute<{ id: string; dueAt: string | Date }[]>(
    `select n.id::text as id, n.due_at as "dueAt" from sandbox_notice n
     join payment p on p.idempotency_key = n.charge_key
     where p.test_clock_id = ? and n.delivered_at is null and n.due_at <= ?
     order by n.due_at, n.id limit 1`,
    [testClockId, by],
  );
  if (!found) return undefined;
  const id = Number(found.id);
  return {
    at: new Date(found.dueAt),
    execute: (session: Session) => deliverSandboxNotice(session, id),
  };
}
