import type { Session } from '#domain/kernel/session.ts';
import { countAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { catchUp } from '#domain/subscriptions/lifecycle/transition-subscription.ts';

/**
 * Takes a subscription to its present: its accepted usage is counted, and its due boundaries are crossed. Errors:
 * NOT_FOUND; SERVICE_UNAVAILABLE while too much accepted usage waits.
 */
export async function bePresent(session: Session, id: string): Promise<void> {
  await countAcceptedUsage(session, [id]);
  await catchUp(session, id);
}
