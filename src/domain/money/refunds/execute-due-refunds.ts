import { AnswerNeeded } from '#domain/kernel/answer-needed.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { openRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { executeRefund } from './execute-refund.ts';

/**
 * Asks the processor immediately for the due refunds of a customer. A failure is reported, and the job tries again; it
 * also executes those of a transaction that is still open.
 */
export async function executeDueRefunds(session: Session, customerId: string): Promise<void> {
  if (session.em.isInTransaction()) return;
  const present = afresh(session);
  const due = { customerId, status: { $in: [...openRefundStatuses] }, processorReference: null };
  for (const { id } of await present.em.find(Refund, due, { orderBy: { createdAt: 'asc' } })) {
    await executeRefund(session, id).catch((error) => {
      if (error instanceof AnswerNeeded) throw error;
      report(session, id, error);
    });
  }
}
