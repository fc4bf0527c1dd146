import { z } from 'zod';
import { expireCredit } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';

export const revokePrepaidCreditInput = z.object({ id: z.string() });

/**
 * Revokes what remains of a gift, and what returns to it later. The used part stays used. One that is revoked already is
 * returned as it is. Errors: NOT_FOUND; BAD_REQUEST for bought credit.
 */
export function revokePrepaidCredit(
  session: Session,
  { id }: z.output<typeof revokePrepaidCreditInput>,
): Promise<PrepaidCredit> {
  return command(session, async (session) => {
    const { em } = session;
    const { customerId, source, invoiceId } = await em.findOneOrFail(PrepaidCredit, id);
    if (source !== 'gift') {
      const why = `was bought by ${invoiceId}: refund or credit that invoice instead`;
      throw invalid('NOT_ALLOWED', 'id', why);
    }
    const locked = await lockCustomer(session, { id: customerId });
    const credit = await em.findOneOrFail(PrepaidCredit, id, { refresh: true });
    if (!locked) return credit;
    const { customer, session: atLock } = locked;
    expireCredit(atLock, customer, credit);
    const { amount, revoked, lacking } = credit;
    customer.prepaidBalance -= credit.revoke(amount - revoked - lacking);
    await em.flush();
    return credit;
  });
}
