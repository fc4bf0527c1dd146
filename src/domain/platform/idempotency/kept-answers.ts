import { createHash } from 'node:crypto';
import { open, seal } from '#domain/kernel/security/secrets.ts';
import type { Keyed, Session } from '#domain/kernel/session.ts';
import { answersKeptHours } from '#domain/model/platform/idempotency-key.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * The stored form of a key. Keys belong to the tenant; those of customer tokens belong to their customer, so that no
 * customer reads or blocks the answers of others.
 */
export const storedKey = ({ customerId }: Pick<Session, 'customerId'>, key: string): string =>
  customerId
    ? `customer ${createHash('sha256').update(`${customerId} ${key}`).digest('hex')}`
    : key;

/** The stored state of an idempotency key. */
export interface Kept {
  readonly fingerprint: string;
  /** The result of a first transaction; null when the operation has only one. */
  readonly progress: unknown;
  /** The final answer as text; null when the operation has not ended. */
  readonly answer: string | null;
}

interface Row extends Omit<Kept, 'answer'> {
  readonly answer: string | null;
}

/**
 * Locks the key of a session until its transaction ends, and returns the stored state of the key. The lock ends with
 * the connection, so an attempt that has died blocks nothing.
 */
export async function lockKey(session: Session, key: string): Promise<Kept | undefined> {
  const [row] = await statement<Row>(
    session.em,
    'lock idempotency key',
    'select * from lock_idempotency_key($1, $2)',
    [session.pricingModelId, storedKey(session, key)],
  );
  return row && opened(row);
}

/** The same without a lock, outside of a transaction. */
export async function readKey(session: Session, key: string): Promise<Kept | undefined> {
  const [row] = await statement<Row>(
    session.em,
    'read idempotency key',
    `select fingerprint, progress, answer from idempotency_key
     where pricing_model_id = $1 and key = $2 and created_at >= now() - interval '${answersKeptHours} hours'`,
    [session.pricingModelId, storedKey(session, key)],
  );
  return row && opened(row);
}

/** Stores the final answer of a request. Returns whether it is stored; false where another attempt was first. */
export async function keepAnswer(
  session: Session,
  { key, fingerprint }: Keyed,
  answer: string,
): Promise<boolean> {
  const rows = await statement(
    session.em,
    'keep answer',
    `insert into idempotency_key as kept (pricing_model_id, key, fingerprint, answer, organization_id, created_at)
     values ($1, $2, $3, $4, $5, now())
     on conflict (pricing_model_id, key) do update set answer = excluded.answer
     where kept.answer is null and kept.fingerprint = excluded.fingerprint
     returning true as stored`,
    [
      session.pricingModelId,
      storedKey(session, key),
      fingerprint,
      sealedAnswer(fingerprint, answer),
      session.organizationId,
    ],
  );
  return rows.length > 0;
}

/** Stores the result of a first transaction, as part of it. */
export const keepProgress = (session: Session, { key, fingerprint }: Keyed, progress: unknown) =>
  statement(
    session.em,
    'keep progress',
    `insert into idempotency_key (pricing_model_id, key, fingerprint, progress, organization_id, created_at)
     values ($1, $2, $3, $4, $5, now())`,
    [
      session.pricingModelId,
      storedKey(session, key),
      fingerprint,
      JSON.stringify(progress),
      session.organizationId,
    ],
  );

/** Answers may contain secrets, such as that of a new webhook, so the table stores them encrypted. */
const contextOf = (fingerprint: string) => `idempotency_key ${fingerprint}`;

/** The stored form of an answer. */
export const sealedAnswer = (fingerprint: string, answer: string): string =>
  seal(answer, contextOf(fingerprint));

export const openedAnswer = (fingerprint: string, answer: string): string =>
  open(answer, contextOf(fingerprint));

const opened = ({ answer, ...row }: Row): Kept => ({
  ...row,
  answer: answer === null ? null : openedAnswer(row.fingerprint, answer),
});
