import type { MailSettingsQuery } from './mails.generated.ts';

export type MailKind = NonNullable<MailSettingsQuery['mailSettings']>['kinds'][number];

/** The kinds of mails, each with its occasion. */
export const mailKinds: readonly (readonly [MailKind, string])[] = [
  ['invoice', 'An invoice with a due date was sent'],
  ['receipt', 'An invoice was paid'],
  ['payment_failed', 'A payment was refused while the customer was absent'],
  ['card_expiring', 'A card that is charged expires soon'],
  ['trial_ending', 'A trial ends soon'],
  ['renewal_upcoming', 'A subscription with a cycle of a year or longer is charged soon'],
  ['prepaid_expiring', 'Prepaid credit expires soon'],
  ['alert', 'A value has reached the threshold of an alert'],
];

/** The kinds that a customer may switch off; the service refuses the others. */
export const optionalKinds: readonly MailKind[] = ['card_expiring', 'alert'];
