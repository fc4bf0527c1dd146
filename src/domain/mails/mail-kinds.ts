/** The kinds of mails, each with its own texts, template and switch. */
export const mailKinds = [
  'invoice',
  'receipt',
  'payment_failed',
  'card_expiring',
  'trial_ending',
  'renewal_upcoming',
  'prepaid_expiring',
  'alert',
] as const;

export type MailKind = (typeof mailKinds)[number];

export const mailStatuses = [
  'pending',
  'sent',
  'caught',
  'failed',
  'uncertain',
  'dropped',
] as const;

export type MailStatus = (typeof mailStatuses)[number];
