import { DomainError } from './errors.ts';
import type { Session } from './session.ts';

/**
 * Runs work within the transaction and rolls it back, so that a refusal comes before money moves. The work must read
 * its own records by their ids: changes of loaded records would stay. Errors: those of the work.
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

/**
 * The reason for which work is refused, found by a rehearsal; undefined when it succeeds. Errors: unexpected
 * ones, and SERVICE_UNAVAILABLE, which states nothing about the work.
 */
export async function rehearsedRefusal(
  session: Session,
  work: (session: Session) => Promise<unknown>,
): Promise<DomainError | undefined> {
  try {
    await rehearse(session, work);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'SERVICE_UNAVAILABLE') return error;
    throw error;
  }
}
