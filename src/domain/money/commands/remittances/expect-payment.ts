import type { z } from 'zod';
import { likelyCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { refuseTaken } from './receipt-of.ts';
import type { expectPaymentInput } from './remittance-input.ts';

/**
 * Records a payment that a customer has announced. It settles nothing until it is received. Errors: BAD_REQUEST for an
 * unknown customer and a taken reference.
 */
export function expectPayment(
  session: Session,
  input: z.output<typeof expectPaymentInput>,
): Promise<Remittance> {
  return command(session, async (session) => {
    const { em } = session;
    const { customerId, amount, reference, note, expectedAt, attachmentURL } = input;
    const locked = await lockCustomer(session, { id: customerId });
    if (!locked) throw invalid('NOT_FOUND', 'customerId', `Unknown customer ${customerId}`);
    await refuseTaken(session, reference);
    const currency = input.currency ?? (await likelyCurrency(session, locked.customer));
    if (currency !== (locked.customer.currency ?? currency)) {
      const message = `must be ${locked.customer.currency}, in which ${customerId} pays`;
      throw invalid('MISMATCH', 'currency', message);
    }
    return em.create(Remittance, {
      customer: locked.customer,
      status: 'expected',
      method: input.method ?? 'bank_transfer',
      amount,
      currency,
      reference: reference ?? null,
      note: note ?? null,
      attachmentURL: attachmentURL ?? null,
      expectedAt: expectedAt ?? null,
    });
  });
}
