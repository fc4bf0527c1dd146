import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { randomText } from '#domain/kernel/ids.ts';
import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { Letter, WrittenLetter } from './write-mail.ts';

/** How long a claim is valid. Its process renews it while it works on the mail; without that it counts as killed. */
export const claimMilliseconds = 30_000;
/** How many mails of one organization and mode a claim takes, so that a large one delays no other. */
const mostOfEach = 20;

/** A mail that is to be sent now. */
export interface ClaimedMail {
  readonly id: string;
  readonly claim: string;
  readonly kind: MailKind;
  readonly livemode: boolean;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly customerId: string;
  readonly objectId: string;
  readonly eventId: string;
  readonly attemptCount: number;
  readonly repeats: number;
  /** The content of the attempt before, which a further attempt repeats; null for a mail that was never written. */
  readonly letter: Letter | null;
  /** When that was written, in milliseconds since 1970; null also for a version that did not record it. */
  readonly writtenAt: number | null;
}

/**
 * Claims due mails, at most `most`. No other process gets them until the claim has expired. A mail whose process was
 * killed before it transmitted the content is claimed again. One whose content was being transmitted is not: the server
 * has probably accepted it, so it becomes `uncertain`.
 */
export async function claimMails(
  em: EntityManager,
  now: Date,
  most: number,
): Promise<readonly ClaimedMail[]> {
  const claim = randomText(20);
  const until = new Date(now.getTime() + claimMilliseconds);
  return statement<ClaimedMail>(
    em,
    'claim mails',
    `with recursive doubtful as (
       update mail set status = 'uncertain', next_attempt_at = null, updated_at = greatest(updated_at, $1), problem = $5
       where id in (select id from mail where status = 'pending' and handed_over_at is not null
         and claimed_until <= $1 and ${isServed()} for update skip locked)
     ), sender as (
       -- Each organization with a due mail by one look into the index.
       (select m.organization_id, m.livemode from mail m where m.status = 'pending'
        order by m.organization_id, m.livemode limit 1)
       union all
       select next.organization_id, next.livemode from sender cross join lateral (
         select m.organization_id, m.livemode from mail m where m.status = 'pending'
           and (m.organization_id, m.livemode) > (sender.organization_id, sender.livemode)
         order by m.organization_id, m.livemode limit 1) as next
     ), due as (
       select each.id from sender cross join lateral (
         select m.id, m.next_attempt_at from mail m
         where m.status = 'pending' and m.organization_id = sender.organization_id and m.livemode = sender.livemode
           and m.next_attempt_at <= greatest($1, now()) and m.handed_over_at is null
           and (m.claimed_until is null or m.claimed_until <= $1)
         order by m.next_attempt_at, m.sequence limit ${mostOfEach} for update skip locked) as each
       where ${isServed('sender.organization_id')} order by each.next_attempt_at limit $2
     )
     update mail m set claim = $3, claimed_until = $4 from due where m.id = due.id
     returning m.id, m.claim, m.kind, m.livemode, m.organization_id as "organizationId",
       m.pricing_model_id as "pricingModelId", m.customer_id as "customerId", m.object_id as "objectId",
       m.event_id as "eventId",
       m.attempt_count as "attemptCount", m.repeats, (extract(epoch from m.written_at) * 1000)::float8 as "writtenAt",
       case when m.html is not null then jsonb_build_object('language', m.language, 'sender', m.sender,
         'recipient', m.recipient, 'replyTo', m.reply_to, 'subject', m.subject, 'text', m.text, 'html', m.html) end as letter`,
    [now, most, claim, until, doubt],
  );
}

const doubt =
  'The process ended while the mail server received the content: it has probably arrived. Resend it if it has not';

/** Renews a claim while its mail is being sent. */
export const renewClaim = (em: EntityManager, { id, claim }: Claimed, now: Date) =>
  statement(
    em,
    'renew claim of mail',
    'update mail set claimed_until = $3 where id = $1 and claim = $2',
    [id, claim, new Date(now.getTime() + claimMilliseconds)],
  );

type Claimed = Pick<ClaimedMail, 'id' | 'claim'>;

/**
 * Records that the content of a mail is transmitted from now on, and the content itself. Returns whether the claim is
 * still valid: without it another process may send the mail, and this one must not.
 */
export async function handOver(
  em: EntityManager,
  { id, claim }: Claimed,
  letter: WrittenLetter,
  now: Date,
): Promise<boolean> {
  const { language, sender, recipient, replyTo, subject, text, html, writtenAt } = letter;
  const rows = await statement<{ id: string }>(
    em,
    'hand over mail',
    `update mail set handed_over_at = $3, language = $4, sender = $5, recipient = $6, reply_to = $7, subject = $8,
       text = $9, html = $10, written_at = $11, updated_at = greatest(updated_at, $3)
     where id = $1 and claim = $2 and status = 'pending' and claimed_until > $3 returning id`,
    [id, claim, now, language, sender, recipient, replyTo, subject, text, html, writtenAt],
  );
  return rows.length === 1;
}
