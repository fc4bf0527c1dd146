import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { keepProgress, lockKey } from './kept-answers.ts';

/** What a first transaction has done. */
export interface FirstStep<T> {
  readonly done: T;
  /** Whether an earlier try of the request has done it: what follows may have been done, too. */
  readonly resumed: boolean;
}

/**
 * The first transaction of an operation that needs several, since it asks for money in between. With an
 * `Idempotency-Key` its result, which JSON must keep as it is, is committed together with it. A repeat does not run it again but goes on from that
 * result, and so does what follows it: all of it must be safe to run twice. Errors: those of the work.
 */
export async function firstStep<T>(
  session: Session,
  work: (session: Session) => Promise<T>,
): Promise<FirstStep<T>> {
  const { idempotency, dryRun } = session;
  if (!idempotency || dryRun) return { done: await command(session, work), resumed: false };
  if (idempotency.progress !== undefined) {
    return { done: idempotency.progress as T, resumed: true };
  }
  return command(session, async (session) => {
    const kept = await lockKey(session, idempotency.key);
    if (kept) {
      // Another process was faster with the same request.
      if (kept.progress === null || kept.fingerprint !== idempotency.fingerprint) throw again();
      return { done: kept.progress as T, resumed: true };
    }
    const done = await work(session);
    await session.em.flush();
    await keepProgress(session, idempotency, done);
    return { done, resumed: false };
  });
}

const again = () =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Another request with this Idempotency-Key has just ended; try again',
  );
