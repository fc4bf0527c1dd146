import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { later } from '#domain/kernel/columns.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Mail, type MailAttempt } from '#domain/model/mail/mail.ts';
import type { MailStatus } from '#domain/model/mail/mail-kinds.ts';
import type { ClaimedMail } from './claim-mails.ts';
import type { WrittenLetter } from './write-mail.ts';

/** The result of the work on a mail. */
export interface MailOutcome {
  readonly status: Exclude<MailStatus, 'uncertain'>;
  /** Why it was not sent, or not yet. */
  readonly problem: string | null;
  /** The content; absent where there was none to write. */
  readonly letter?: WrittenLetter | undefined;
  /** The attempt at the mail server; absent where none was made. */
  readonly attempt?: MailAttempt | undefined;
}

const minute = 60_000;
const hour = 60 * minute;
/** The pauses between attempts: two days in all, after which a mail server gives up, too. */
const pauses = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour];
/** The pause before an attempt that could not be made. */
const soonMilliseconds = 10_000;
const keptAttempts = 20;

/**
 * Records the result of the work on a mail. A pending one is tried again after a pause; after the last one it has
 * failed. A claim that another process has replaced changes nothing; one that has only expired is still settled.
 */
export function recordMailResult(
  session: Session,
  { id, claim }: Pick<ClaimedMail, 'id' | 'claim'>,
  { status, problem, letter, attempt }: MailOutcome,
): Promise<void> {
  return command(session, async ({ em, now }) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const mail = await em.findOne(Mail, { id, claim }, { lockMode });
    if (!mail) return;
    const made = mail.attemptCount + (attempt ? 1 : 0);
    const soon = new Date(now.getTime() + soonMilliseconds);
    const repeated = attempt ? nextAttemptAt(id, made, now) : soon;
    const next = status === 'pending' ? repeated : undefined;
    em.assign(mail, {
      ...letter,
      updatedAt: later(mail.updatedAt, now),
      status: status === 'pending' && !next ? 'failed' : status,
      problem,
      attemptCount: made,
      attempts: attempt ? [...mail.attempts, attempt].slice(-keptAttempts) : mail.attempts,
      nextAttemptAt: next ?? null,
      sentAt: status === 'sent' ? now : (mail.sentAt ?? null),
      claim: null,
      claimedUntil: null,
      handedOverAt: null,
    });
  });
}

/** Each pause is up to 10 % longer, so that many failures at once are not repeated together. */
function nextAttemptAt(id: string, made: number, now: Date): Date | undefined {
  const pause = pauses[made - 1];
  if (pause === undefined) return undefined;
  const chance = createHash('sha256').update(`${id} ${made}`).digest().readUInt32BE() / 2 ** 32;
  return new Date(now.getTime() + Math.ceil(pause * (1 + chance / 10)));
}
