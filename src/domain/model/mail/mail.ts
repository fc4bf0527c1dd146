import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { mailKinds, mailStatuses } from './mail-kinds.ts';

/** One attempt to send a mail, and the answer of the mail server. */
export interface MailAttempt {
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMilliseconds: number;
  /** The answer of the server, such as `250 2.0.0 accepted`; null when there was none. */
  readonly response: string | null;
  /** Why it counts as failed; null when it does not. */
  readonly error: string | null;
}

const MailSchema = defineEntity({
  name: 'Mail',
  uniques: [{ name: 'mail_once', properties: ['eventId', 'kind'] }],
  indexes: [
    pageIndex('mail'),
    { name: 'mail_customer', properties: ['customerId', 'createdAt', 'position', 'id'] },
    {
      name: 'mail_due',
      properties: ['organizationId', 'livemode', 'nextAttemptAt', 'sequence'],
      where: { status: 'pending' },
    },
    // Each claim looks for mails whose process ended while the mail server received them, however many others wait.
    {
      name: 'mail_transmitted',
      properties: ['claimedUntil'],
      where: { status: 'pending', handedOverAt: { $ne: null } },
    },
    // Operators watch how many have failed for good.
    {
      name: 'mail_dead',
      properties: ['updatedAt'],
      where: { status: { $in: ['failed', 'uncertain'] } },
    },
    { name: 'mail_age', properties: ['createdAt'] },
  ],
  checks: checksOf({
    mail_pending: `(status = 'pending') = (next_attempt_at is not null)`,
    // No mail of test mode leaves the service, and no live one stays in it.
    mail_mode: `case status when 'sent' then livemode when 'caught' then not livemode else true end`,
    mail_handed_over: `handed_over_at is null or claim is not null`,
  }),
  properties: {
    id: p.string().primary(),
    createdAt: instant(),
    updatedAt: instant(),
    livemode: p.boolean(),
    organizationId: p.string(),
    pricingModelId: p.string(),
    kind: p.enum(mailKinds),
    eventId: p.string(),
    /** The place of the event in the feed. */
    sequence: safeInteger(),
    position: safeInteger().generated('("sequence") stored').hidden(),
    /** When the event occurred, by the clock of the customer. */
    occurredAt: instant(),
    customerId: p.string(),
    /** The object of the event. */
    objectId: p.string(),
    status: p.enum(mailStatuses).default('pending'),
    /** The language of the texts; null until they are written. */
    language: p.string().nullable(),
    sender: p.text().nullable(),
    recipient: p.text().nullable(),
    replyTo: p.text().nullable(),
    /** Links in subject, bodies, problem and attempts are hidden: the trigger `links_hidden` sees to it. */
    subject: p.text().nullable(),
    text: p.text().nullable().lazy(),
    html: p.text().nullable().lazy(),
    /** When its texts were written, from which on its links count. */
    writtenAt: instant().nullable().hidden(),
    /** Why it was not sent, or not yet. */
    problem: p.text().nullable(),
    /** Attempts since it was last requested; they decide when the next one is due. */
    attemptCount: p.integer().default(0),
    attempts: p.json<readonly MailAttempt[]>().defaultRaw(`'[]'`),
    nextAttemptAt: instant().nullable(),
    sentAt: instant().nullable(),
    /** How often it was requested again after it was sent; each has a Message-ID of its own. */
    repeats: p.integer().default(0).hidden(),
    /** The attempt that has claimed the row, and until when. */
    claim: p.string().nullable().hidden(),
    claimedUntil: instant().nullable().hidden(),
    /** When that attempt began to transmit the content; null before. */
    handedOverAt: instant().nullable().hidden(),
  },
});

/** One mail to a customer about one event, with its content and attempts. Inserted when the event gets its sequence. */
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail);
