import type { MikroORM } from '@mikro-orm/postgresql';
import { GraphQLError } from 'graphql';
import { open, seal } from '#domain/secrets.ts';
import type { Session } from '#domain/session.ts';
import { refusal, refuse } from '#rest/errors.ts';
import type { Answer, Attempt } from '#rest/once.ts';
import { patienceSeconds } from '#schema/subscription-adjustments.ts';

const keptHours = 24;
const longestWaitMilliseconds = 30_000;

interface Kept {
  fingerprint: string;
  committed: boolean;
  running: boolean;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/**
 * Carries a request out once for its key and answers every repeat with the first answer. A repeat
 * that comes while the first is under way waits for it. When the process died on the first one, a
 * repeat carries the request out again, unless its command had been committed: that is never done
 * twice. Errors: BAD_REQUEST for another request under the same key, CONFLICT for a lost answer.
 */
export function createOnce(orm: MikroORM, operationTimeLimitSeconds: number) {
  // Longer than any operation is waited for, so that a lease that has run out means a dead process.
  const leaseSeconds = 2 * operationTimeLimitSeconds + patienceSeconds + 30;

  return async function once(
    session: Session,
    attempt: Attempt,
    run: (session: Session) => Promise<Answer>,
  ) {
    const owner = session.apiKeyId ?? '';
    const { key, fingerprint } = attempt;
    const token = crypto.randomUUID();
    const deadline = Date.now() + longestWaitMilliseconds;
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      if (await take(owner, attempt, token)) return carryOut(owner, attempt, token, run, session);
      const kept = await read(owner, key);
      if (kept && kept.fingerprint !== fingerprint) throw otherRequest(key);
      if (kept?.status != null) return replayed(kept);
      if (kept?.committed && !kept.running) throw lostAnswer(key);
      if (Date.now() > deadline) {
        throw refuse(
          'SERVICE_UNAVAILABLE',
          'The first request with this Idempotency-Key is still under way; try again',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };

  /** Whether this attempt is the one to carry the request out: the first, or the heir of a dead one. */
  async function take(owner: string, { key, fingerprint }: Attempt, token: string) {
    const taken = await orm.em.fork().execute(
      `insert into idempotency_key as held (api_key_id, key, created_at, fingerprint, leased_until, attempt)
       values (?, ?, now(), ?, now() + make_interval(secs => ?), ?)
       on conflict (api_key_id, key) do update set created_at = excluded.created_at,
         fingerprint = excluded.fingerprint, leased_until = excluded.leased_until,
         attempt = excluded.attempt,
         committed = false, status = null, headers = null, body = null
       where held.created_at < now() - make_interval(hours => ?)
         or (held.leased_until < now() and held.status is null and not held.committed
           and held.fingerprint = excluded.fingerprint)
       returning key`,
      [owner, key, fingerprint, leaseSeconds, token, keptHours],
    );
    return taken.length === 1;
  }

  async function read(owner: string, key: string) {
    const [kept] = await orm.em.fork().execute<Kept[]>(
      `select fingerprint, committed, leased_until > now() as running, status, headers, body
       from idempotency_key where api_key_id = ? and key = ?`,
      [owner, key],
    );
    return kept;
  }

  async function carryOut(
    owner: string,
    { key, fingerprint }: Attempt,
    attempt: string,
    run: (session: Session) => Promise<Answer>,
    session: Session,
  ): Promise<Answer> {
    let answer: Answer | undefined;
    try {
      answer = await run({ ...session, idempotency: { key, attempt } }).catch(refused);
      return answer;
    } finally {
      const body = answer && seal(answer.body, contextOf(fingerprint));
      await keep(owner, key, attempt, answer && { ...answer, body: body ?? '' });
    }
  }

  /** A failure of ours is not an answer to keep, unless the command was committed all the same. */
  async function keep(owner: string, key: string, attempt: string, answer: Answer | undefined) {
    const em = orm.em.fork();
    if (!answer || answer.status >= 500) {
      await em.execute(
        'delete from idempotency_key where api_key_id = ? and key = ? and attempt = ? and not committed',
        [owner, key, attempt],
      );
    }
    if (!answer) return;
    await em.execute(
      'update idempotency_key set status = ?, headers = ?::jsonb, body = ? where api_key_id = ? and key = ? and attempt = ?',
      [answer.status, JSON.stringify(answer.headers), answer.body, owner, key, attempt],
    );
  }
}

/** An answer may hold a secret, such as that of a new webhook; it opens for its own request alone. */
const contextOf = (fingerprint: string) => `idempotency_key ${fingerprint}`;

const replayed = ({ fingerprint, status, headers, body }: Kept): Answer => ({
  status: status ?? 200,
  headers: { ...headers, 'idempotent-replayed': 'true' },
  body: body === null ? '' : open(body, contextOf(fingerprint)),
});

/** A refusal is an answer like any other, and is kept like one. */
function refused(error: unknown): Answer {
  if (error instanceof GraphQLError) return refusal(error);
  throw error;
}

const otherRequest = (key: string) =>
  refuse('BAD_REQUEST', `Idempotency-Key ${key} was used for another request: use a new key`);

const lostAnswer = (key: string) =>
  refuse(
    'CONFLICT',
    `The first request with Idempotency-Key ${key} was carried out, but its answer was lost: read the object before you try again with a new key`,
  );
