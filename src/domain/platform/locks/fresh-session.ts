import { openSession, type Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';

/** Refuses to charge within a transaction, since its rollback would not undo the charge. */
export function refuseTransaction({ em, dryRun }: Session) {
  if (em.isInTransaction() && !dryRun) {
    throw new Error('Money is moved between transactions: mark the mutation with inSteps');
  }
}

/** A new session of the same scope. Each step uses one and reads the committed rows. */
export const afresh = ({ em, apiKeyId, cause, ...scope }: Session): Session =>
  openSession(em, scope, apiKeyId, cause);

/** The same at the present by the database's clock. */
export const afreshAtPresent = async (session: Session): Promise<Session> =>
  afresh({ ...session, now: await presentOf(session.em) });
