import type { Session } from '#domain/kernel/session.ts';
import { type MailKind, optionalMailKinds } from '#domain/model/mail/mail-kinds.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { dropPending } from './drop-pending.ts';

/** Why a mail of such a kind is dropped. Operators read it in the log of the customer. */
export const switchedOff = 'The customer has switched mails of this kind off';

/** Sets the optional kinds that a locked customer has off, and drops its pending mails of these kinds. */
export async function setMailsOff(
  session: Session,
  customer: Customer,
  kinds: readonly MailKind[],
) {
  const off = optionalMailKinds.filter((kind) => kinds.includes(kind));
  const isSame = off.length === customer.mailsOff.length && off.every(isOff);
  if (!isSame) customer.mailsOff = off;
  if (off.length === 0) return;
  await dropPending(session, switchedOff, 'customer_id = $3 and kind = any($4)', [
    customer.id,
    off,
  ]);

  function isOff(kind: MailKind) {
    return (customer.mailsOff as readonly MailKind[]).includes(kind);
  }
}
