import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { later } from '#domain/kernel/columns.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import { Customer } from '#domain/model/platform/customer.ts';

export const resendMailInput = z.object({ id: z.string() });

/**
 * Sends a mail again now, written anew, to the present address of the customer, whatever its status. One that is being
 * sent is left alone. A repetition of a sent mail has a Message-ID of its own. Errors: NOT_FOUND; BAD_REQUEST for an
 * erased customer, and for a kind that the customer has off.
 */
export function resendMail(
  session: Session,
  { id }: z.output<typeof resendMailInput>,
): Promise<Mail> {
  return command(session, async ({ em, now }) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const mail = await em.findOneOrFail(Mail, id, { lockMode, populate: ['text', 'html'] });
    const customer = await em.findOne(Customer, mail.customerId);
    if (!customer || customer.erasedAt) {
      throw invalid('INVALID_STATE', 'id', 'is to a customer whose personal data is erased');
    }
    if ((customer.mailsOff as readonly MailKind[]).includes(mail.kind)) {
      throw invalid('INVALID_STATE', 'id', `is of a kind (${mail.kind}) that the customer has off`);
    }
    if (mail.claimedUntil && mail.claimedUntil > now) return mail;
    return em.assign(mail, {
      updatedAt: later(mail.updatedAt, now),
      repeats: mail.status === 'sent' ? mail.repeats + 1 : mail.repeats,
      status: 'pending',
      html: null,
      text: null,
      problem: null,
      attemptCount: 0,
      nextAttemptAt: now,
      claim: null,
      claimedUntil: null,
      handedOverAt: null,
    });
  });
}
