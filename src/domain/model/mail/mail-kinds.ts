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

/** The kinds that a customer may switch off. The others tell of money or access, so they are always sent. */
export const optionalMailKinds = ['card_expiring', 'alert'] as const satisfies readonly MailKind[];

export type OptionalMailKind = (typeof optionalMailKinds)[number];

/** Whether a customer may switch a kind off. */
export const isOptional = (kind: MailKind): kind is OptionalMailKind =>
  (optionalMailKinds as readonly MailKind[]).includes(kind);

export const mailStatuses = [
  'pending',
  'sent',
  'caught',
  'failed',
  'uncertain',
  'dropped',
] as const;

export type MailStatus = (typeof mailStatuses)[number];
