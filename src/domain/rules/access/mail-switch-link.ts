import { isOptional, type MailKind, type OptionalMailKind } from '#domain/mails/mail-kinds.ts';
import { signerFor } from './signing-key.ts';

/** The customer and the kind of mails that a link switches. */
export interface MailSwitch {
  readonly customerId: string;
  readonly kind: OptionalMailKind;
}

/** The path of the pages that switch kinds of mails, below the origin of the service. */
export const mailSwitchPath = '/mail-switch';

const signer = signerFor('mail-switch');
const shape = /^((\w{1,80})\.(\w{1,40}))\.([\w-]{43})$/;

/**
 * The path of the page where a customer switches one kind of mails. It does not expire: a mail that is found after years
 * still ends the next ones. The signature covers the customer and the kind.
 */
export function mailSwitchLink({ customerId, kind }: MailSwitch): string {
  const signed = `${customerId}.${kind}`;
  return `${mailSwitchPath}/${signed}.${signer.sign(signed)}`;
}

/**
 * The customer and the kind in the text of a link, if a key of this process has signed both. Needs no database, so a
 * forged link costs no statement. Undefined also for a kind that is no longer optional.
 */
export function readMailSwitchLink(text: string): MailSwitch | undefined {
  const [, signed = '', customerId = '', kind = '', signature = ''] = shape.exec(text) ?? [];
  if (!signed || !signer.isSigned(signed, signature)) return undefined;
  return isOptional(kind as MailKind) ? { customerId, kind: kind as OptionalMailKind } : undefined;
}
