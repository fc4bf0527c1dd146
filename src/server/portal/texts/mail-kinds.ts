import type { OptionalMailKind } from '#domain/model/mail/mail-kinds.ts';
import type { TextName } from './en.ts';

/** The name of each kind of mails that a customer may switch off. */
export const mailKindNames: Readonly<Record<OptionalMailKind, TextName>> = {
  card_expiring: 'mailsCardExpiring',
  alert: 'mailsAlert',
};
