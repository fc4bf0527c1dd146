import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { keepProgress, lockKey } from './kept-answers.ts';

/** The result of a first transaction. */
export interface FirstStep<T> {
  readonly done: T;
  /** Whether an earlier attempt of the request has done it; the steps after it may have been done, too. */
  readonly resumed: boolean;
}

/**
 * Runs the first transaction of an operation that needs several, since it charges or refunds money in between. With
 * an `Idempotency-Key` the result is committed together with it, so JSON must be able to represent it. A repeat does
 * not run the transaction again but resumes from its result. All later steps must be safe to run twice. Errors: those
 * of the work.
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
    { retryAfter: 1 },
  );
