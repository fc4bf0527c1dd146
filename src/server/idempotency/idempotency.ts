import { DriverException } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Keyed } from '#domain/kernel/session.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import {
  keepAnswer,
  lockKey,
  readKey,
  storedKey,
} from '#domain/platform/idempotency/kept-answers.ts';
import type { Attempt } from '#rest/engine/attempt.ts';
import { refuse } from '#rest/engine/errors.ts';
import { isFinal, resultOf, textOf } from './kept-result.ts';

const longestWaitMilliseconds = 30_000;
const mostRestarts = 20;
/** No request can send the empty key. */
const withoutKey: Attempt = { key: '', fingerprint: '' };

/** A mutation with a key, an `@atomic` one, or both, and how it runs. */
interface KeyedRequest {
  /** Its key; undefined where each repeat runs again. */
  readonly attempt: Attempt | undefined;
  /** Whether a refusal of one field rolls back all of them. */
  readonly atomic: boolean;
  /** Whether the operation needs several transactions, since it moves money between them. */
  readonly inSteps: boolean;
  /** Whether the operation has one field only. */
  readonly isAlone: boolean;
  run(session: Session): Promise<ExecutionResult>;
}

export type Once = (session: Session, request: KeyedRequest) => Promise<ExecutionResult>;

/**
 * Runs a request once for its key, and answers every repeat with the first final answer: a result,
 * or a refusal of the request. Failures of the service are not kept; the repeat runs at once.
 *
 * An operation runs within one transaction that also locks the key and keeps the answer. Either all
 * of it is committed, or nothing. An attempt whose process has died leaves nothing behind and blocks
 * nothing.
 *
 * An operation that moves money needs several transactions. Its first one stores its progress
 * (`firstStep`), and a repeat resumes from there. Committed work is answered as it is, and money is
 * requested once.
 *
 * An atomic operation without a key runs in one transaction as well, and stores no answer.
 *
 * Repeats in the same process wait for the first request. Repeats in another process wait for the
 * lock of its transaction. Errors: BAD_REQUEST for another request under the same key;
 * SERVICE_UNAVAILABLE for a wait of more than 30 seconds.
 */
export function createOnce(orm: MikroORM): Once {
  const underWay = new Map<string, Promise<unknown>>();

  return async function once(session, request) {
    if (!request.attempt) return inOne(session, request);
    const name = `${session.pricingModelId} ${storedKey(session, request.attempt.key)}`;
    const deadline = performance.now() + longestWaitMilliseconds;
    for (;;) {
      const first = underWay.get(name);
      if (!first) break;
      if (request.attempt.isImpatient) throw stillUnderWay();
      await before(deadline, first);
    }
    const work = request.inSteps
      ? inSteps(session, request, request.attempt)
      : inOne(session, request);
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    underWay.set(name, settled);
    try {
      return await work;
    } finally {
      underWay.delete(name);
    }
  };

  /** Runs the operation, with the lock of its key and the stored answer, in one transaction. */
  async function inOne(session: Session, request: KeyedRequest): Promise<ExecutionResult> {
    for (let restarts = 0; ; restarts++) {
      const { attempt = withoutKey, isAlone } = request;
      const together = request.atomic ? { hasFailed: false } : undefined;
      const keyed: Keyed = { ...attempt, isAlone, together };
      const done = await tryInOne(afresh(session), request, keyed);
      if (!keyed.restart) return done;
      if (restarts === mostRestarts) throw tooBusy();
      await keyed.restart(afresh(session));
    }
  }

  async function tryInOne(session: Session, request: KeyedRequest, keyed: Keyed) {
    const rollback = new Error('Nothing is to be kept');
    let result: ExecutionResult | undefined;
    try {
      await session.em.transactional(async (em) => {
        const within = { ...session, em, idempotency: keyed };
        const kept = request.attempt && (await lockKey(within, keyed.key));
        if (kept) {
          result = replay(kept, keyed);
          return;
        }
        result = await request.run(within);
        if (request.atomic && result.errors?.length) {
          keyed.isSpoiled = true;
          // The others are of fields that were not tried.
          result = { ...result, errors: result.errors.slice(0, 1) };
        }
        if (await isAborted(em, result)) keyed.isSpoiled = true;
        // A failure that the operation has handled cannot be undone alone.
        if (keyed.isSpoiled && !result.errors?.length) keyed.restart ??= async () => {};
        if (keyed.restart || keyed.isSpoiled || !isFinal(result)) throw rollback;
        if (request.attempt) await keepAnswer(within, keyed, textOf(result));
      });
    } catch (error) {
      if (error !== rollback) throw error;
      // Other results of the operation have been rolled back with the failure.
      result = { ...result, data: null };
      if (request.attempt && keyed.isSpoiled && !keyed.restart && isFinal(result)) {
        return keepRefusal(session, keyed, result);
      }
    }
    return result as ExecutionResult;
  }

  /**
   * Stores a refusal whose transaction has been rolled back, unless another process has stored an answer meanwhile.
   */
  async function keepRefusal(session: Session, request: Attempt, result: ExecutionResult) {
    return session.em.transactional(async (em) => {
      const within = { ...session, em };
      const kept = await lockKey(within, request.key);
      if (kept) return replay(kept, request);
      await keepAnswer(within, request, textOf(result));
      return result;
    });
  }

  /** The operation commits its own steps, the first one with the key; its answer is stored at the end. */
  async function inSteps(
    session: Session,
    request: KeyedRequest,
    { key, fingerprint }: Attempt,
  ): Promise<ExecutionResult> {
    const kept = await readKey(session, key);
    if (kept && (kept.answer !== null || kept.fingerprint !== fingerprint)) {
      return replay(kept, { key, fingerprint });
    }
    const keyed: Keyed = { key, fingerprint, ...(kept && { progress: kept.progress }) };
    const result = await request.run({ ...session, idempotency: keyed });
    if (!isFinal(result) || (await keepAnswer(afresh(session), keyed, textOf(result)))) {
      return result;
    }
    // Another process has resumed the same request and was faster: each repeat has its answer, so this one has it too.
    const first = await readKey(session, key);
    return first ? replay(first, keyed) : result;
  }

  /** Each attempt has its own identity map. */
  function afresh({ em: _, apiKeyId, cause, ...scope }: Session): Session {
    return openSession(orm.em, scope, apiKeyId, cause);
  }
}

/** Whether a statement outside of a savepoint was refused, which ends the transaction. */
async function isAborted(em: Session['em'], { errors = [] }: ExecutionResult): Promise<boolean> {
  if (!errors.some(({ originalError }) => originalError instanceof DriverException)) return false;
  return em.execute('select 1').then(
    () => false,
    () => true,
  );
}

function replay(
  { fingerprint, answer }: { fingerprint: string; answer: string | null },
  request: Attempt,
): ExecutionResult {
  if (fingerprint !== request.fingerprint) throw otherRequest(request.key);
  // A row without an answer belongs to an operation in steps, and so to another request.
  if (answer === null) throw otherRequest(request.key);
  return resultOf(answer);
}

/** Waits for a request, which reports its own failures, until a deadline. */
async function before(deadline: number, request: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    const left = Math.max(0, deadline - performance.now());
    timer = setTimeout(() => reject(stillUnderWay()), left);
  });
  try {
    await Promise.race([request, over]);
  } finally {
    clearTimeout(timer);
  }
}

function otherRequest(key: string) {
  const message = `Idempotency-Key ${key} was used for another request: use a new key`;
  return refuse('BAD_REQUEST', message, [{ code: 'KEY_REUSED', path: [], message }]);
}

/** The caller states the same request again after a second. */
const tryAgain = (reason: string) =>
  new GraphQLError(`${reason}; try again`, {
    extensions: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 },
  });

const stillUnderWay = () => {
  const error = tryAgain('The first request with this Idempotency-Key is still in progress');
  error.extensions.isInProgress = true;
  return error;
};

const tooBusy = () => tryAgain('The request conflicted with concurrent requests');
