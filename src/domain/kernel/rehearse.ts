import { DomainError } from './errors.ts';
import type { Session } from './session.ts';

/**
 * Does something within the transaction and takes it back: whatever refuses it does so before anything else, such
 * as money, depends on it. The work reads its own records, by their ids, since changes to those that are held
 * would stay. Errors: those of the work.
 */
export async function rehearse(session: Session, work: (session: Session) => Promise<unknown>) {
  const rollback = new Error('A rehearsal has ended');
  await session.em.flush();
  try {
    await session.em.transactional(
      async (em) => {
        await work({ ...session, em });
        await em.flush();
        throw rollback;
      },
      { clear: true },
    );
  } catch (error) {
    if (error !== rollback) throw error;
  }
}

/** Why something cannot be done, found out by a rehearsal; undefined when it can. Errors: what nobody has foreseen. */
export async function rehearsedRefusal(
  session: Session,
  work: (session: Session) => Promise<unknown>,
): Promise<DomainError | undefined> {
  try {
    await rehearse(session, work);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
