import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { signerFor } from '#domain/platform/access/signing-key.ts';

/** The failures that cause no pause. Each further one doubles the pause, which starts with 2 seconds. */
const freeAttempts = { account: 5, address: 20 } as const;
const longestPauseSeconds = 900;

type Kind = keyof typeof freeAttempts;

const signer = signerFor('sign-in-attempt');

/** An HMAC, since the few addresses and e-mails that exist could be found by a plain digest. */
const idOf = (kind: Kind, name: string) => signer.sign(`${kind} ${name}`);

/** The pause after a number of failures above the free ones, which are the next parameter. */
const pauseAfter = (failures: string) =>
  `make_interval(secs => least(${longestPauseSeconds}, power(2, least(30, ${failures} - ?))))`;

/** Runs on its own connection: a transaction that is rolled back does not forget an attempt. */
const apart = (em: EntityManager) => em.fork({ keepTransactionContext: false });

/**
 * Counts an attempt as a failure before its outcome is known, so that attempts at the same time do not exceed the
 * limit. `forgetAttempts` follows a success. Failures of a day ago do not count. Errors: TOO_MANY_REQUESTS within a
 * pause.
 */
export async function countAttempt(em: EntityManager, kind: Kind, name: string, now: Date) {
  const id = idOf(kind, name);
  const free = freeAttempts[kind];
  const [counted] = await apart(em).execute<{ failures: number }[]>(
    `insert into sign_in_attempt as known (id, failures, failed_at, blocked_until) values (?, 1, ?, ?)
     on conflict (id) do update set
       failures = case when known.failed_at < excluded.failed_at - interval '1 day' then 1 else known.failures + 1 end,
       failed_at = excluded.failed_at,
       blocked_until = case
         when known.failed_at < excluded.failed_at - interval '1 day' or known.failures < ? then excluded.failed_at
         else excluded.failed_at + ${pauseAfter('known.failures + 1')} end
     where known.blocked_until <= excluded.failed_at
     returning failures`,
    [id, now, now, free, free],
  );
  if (!counted) await requireNoPause(em, kind, name, now);
}

/** Errors: TOO_MANY_REQUESTS within a pause. */
async function requireNoPause(em: EntityManager, kind: Kind, name: string, now: Date) {
  const [row] = await apart(em).execute<{ wait: string }[]>(
    `select extract(epoch from blocked_until - ?) as wait from sign_in_attempt where id = ? and blocked_until > ?`,
    [now, idOf(kind, name), now],
  );
  if (!row) return;
  const retryAfter = Math.max(1, Math.ceil(Number(row.wait)));
  throw new DomainError(
    'TOO_MANY_REQUESTS',
    `Too many failed attempts to sign in: try again in ${retryAfter} s`,
    { retryAfter },
  );
}

/** Forgets the failures of an account after a success. */
export const forgetAttempts = (em: EntityManager, kind: Kind, name: string) =>
  apart(em).execute('delete from sign_in_attempt where id = ?', [idOf(kind, name)]);

/**
 * Does not count an attempt that was right as far as it went. A pause that the attempt began ends; one that later
 * failures began stays, since each of them has lengthened it.
 */
export const discountAttempt = (em: EntityManager, kind: Kind, name: string) =>
  apart(em).execute(
    `update sign_in_attempt set failures = failures - 1,
       blocked_until = case when failures - 1 <= ? then failed_at else failed_at + ${pauseAfter('failures - 1')} end
     where id = ? and failures > 0`,
    [freeAttempts[kind], freeAttempts[kind], idOf(kind, name)],
  );
