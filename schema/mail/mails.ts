import { Mail, type MailAttempt } from '#domain/model/mail/mail.ts';
import { mailKinds, mailStatuses } from '#domain/model/mail/mail-kinds.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, int, nullable, of, time } from '../engine/fields.ts';
import { listField } from '../engine/lists.ts';
import { withId } from '../engine/reference.ts';
import { nodeId } from '../engine/type-names.ts';
import { object, record } from '../engine/types.ts';
import { byEnum, byId, byTime } from '../engine/where.ts';
import { linksOfBody, shownBody } from './shown-body.ts';

export const MailKind = builder.enumType('MailKind', {
  description: 'The occasion of a mail to a customer.',
  values: described(mailKinds, {
    invoice: 'An invoice with a due date was sent.',
    receipt: 'An invoice was paid.',
    payment_failed: 'A payment was refused while the customer was absent.',
    card_expiring: 'A card that is charged expires soon.',
    trial_ending: 'A trial ends soon.',
    renewal_upcoming: 'A subscription with a cycle of a year or longer is charged soon.',
    prepaid_expiring: 'Prepaid credit expires soon.',
    alert: 'A value has reached the threshold of an alert.',
  }),
});

const MailStatus = builder.enumType('MailStatus', {
  description: 'The status of a mail; further attempts follow only while it is `pending`.',
  values: described(mailStatuses, {
    pending: 'Further attempts follow.',
    sent: 'The mail server accepted it.',
    caught: 'It is of test mode, so it was written and not sent.',
    failed: 'The mail server refused it for good, or all attempts failed.',
    uncertain: 'The process ended while the mail server received it; it has probably arrived.',
    dropped: 'There was no reason to send it any more, or mails are off.',
  }),
});

const MailAttemptType = object<MailAttempt>('MailAttempt')({
  description: 'One attempt to hand a mail over to the mail server.',
  fields: (t) => ({
    at: t.field({
      type: 'Timestamp',
      description: 'The time of the attempt.',
      resolve: ({ at }) => new Date(at),
    }),
    durationMilliseconds: int('The duration until the end of the attempt, in milliseconds.'),
    response: nullable.text('The response of the mail server; null without one.'),
    error: nullable.text('The reason of the failure; null for a success.'),
  }),
});

record(Mail, {
  description: 'One mail to a customer about one event, with its content and attempts.',
  fields: (t) => ({
    kind: of(MailKind, 'The occasion.'),
    ...withId('customer', Customer, 'The customer.'),
    ...withId('event', Event, 'The event; it has one mail of a kind.'),
    objectId: id('The object of the event.'),
    object: t.node({
      id: ({ objectId }, _args, session) => nodeId(objectId, session),
      description: 'The object in its present state; null when it no longer exists.',
    }),
    occurredAt: time('The time of the event, by the clock of the customer.'),
    status: of(MailStatus, 'The status.'),
    problem: nullable.text('The reason why it was not sent, or not yet.'),
    language: nullable.text('The language of its texts; null until they are written.'),
    from: t.string({
      nullable: true,
      description: 'The sender as its header states it; null until it is written.',
      resolve: ({ sender }) => sender ?? null,
    }),
    to: t.string({
      nullable: true,
      description: 'The address of the recipient; null until it is written.',
      resolve: ({ recipient }) => recipient ?? null,
    }),
    replyTo: nullable.text('The address for replies; null for that of the sender.'),
    subject: nullable.text('The subject; null until it is written.'),
    text: t.string({
      nullable: true,
      description: `The body as plain text; null until it is written. ${linksOfBody}`,
      resolve: (mail, _args, context) => shownBody(context, mail, 'text'),
    }),
    html: t.string({
      nullable: true,
      description: `The body as HTML; null until it is written. ${linksOfBody}`,
      resolve: (mail, _args, context) => shownBody(context, mail, 'html'),
    }),
    attemptCount: int('The number of attempts since it was last requested, at most 9.'),
    attempts: of([MailAttemptType], 'The attempts, oldest first; at most the last 20.'),
    nextAttemptAt: nullable.time('The time of the next attempt; null when none is planned.'),
    sentAt: nullable.time('The time when the mail server accepted it; null before.'),
  }),
});

builder.queryField('mail', (t) =>
  t.field({
    type: Mail,
    description: 'One mail. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the mail.' }) },
    resolve: (_root, { id }, { em }) => em.findOneOrFail(Mail, id),
  }),
);

listField({
  many: 'mails',
  name: 'Mail',
  noun: 'mail',
  entity: Mail,
  // An event has its mails from its place in the feed on.
  before: ({ em }) => sequenceCommitted(em),
  where: {
    customer: byId('customerId', 'The customer.'),
    kind: byEnum(MailKind, 'kind', 'The occasion.'),
    status: byEnum(MailStatus, 'status', 'The status.'),
    event: byId('eventId', 'The event.'),
    object: byId('objectId', 'The object of the event.'),
    sentAt: byTime('sentAt', 'The time when the mail server accepted it.'),
  },
});

builder.objectField(Customer, 'mails', (t) =>
  listBelow(t, Mail, { by: 'customerId', description: 'The mails to it, oldest first.' }),
);
