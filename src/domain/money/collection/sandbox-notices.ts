import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { SandboxNotice } from '#domain/model/money/sandbox-objects.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
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
