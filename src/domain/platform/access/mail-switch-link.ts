import { isOptional, type MailKind, type OptionalMailKind } from '#domain/model/mail/mail-kinds.ts';
import { epochPart } from './link-epoch.ts';
import { signerFor } from './signing-key.ts';

/** The customer and the kind of mails that a link switches. */
export interface MailSwitch {
  readonly customerId: string;
  /** The `linkEpoch` of the customer for which the link was signed. */
  readonly epoch: number;
  readonly kind: OptionalMailKind;
}

/** The path of the pages that switch kinds of mails, below the origin of the service. */
export const mailSwitchPath = '/mail-switch';

const signer = signerFor('mail-switch');
const shape = /^((\w{1,80})\.(\w{1,40})(?:\.e([0-9a-z]{1,6}))?)\.([\w-]{43})$/;

/**
 * The path of the page where a customer switches one kind of mails. It does not expire: a mail that is found after years
 * still ends the next ones. The next epoch of the customer ends it. The signature covers customer, kind and epoch.
 */
export function mailSwitchLink({ customerId, kind, epoch }: MailSwitch): string {
  const signed = `${customerId}.${kind}${epochPart(epoch)}`;
  return `${mailSwitchPath}/${signed}.${signer.sign(signed)}`;
}

/**
 * The content of the text of a link, if a key of this process has signed it. Needs no database, so a
 * forged link costs no statement. Undefined also for a kind that is no longer optional.
 */
export function readMailSwitchLink(text: string): MailSwitch | undefined {
  const [, signed = '', customerId = '', kind = '', epoch = '0', signature = ''] =
    shape.exec(text) ?? [];
  if (!signed || !signer.isSigned(signed, signature)) return undefined;
  if (!isOptional(kind as MailKind)) return undefined;
  return { customerId, kind: kind as OptionalMailKind, epoch: Number.parseInt(epoch, 36) };
}
