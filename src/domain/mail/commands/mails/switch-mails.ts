import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { optionalKindsInput } from '#domain/mail/optional-kinds-input.ts';
import { setMailsOff } from '#domain/mail/set-mails-off.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';

export const switchMailsInput = z
  .object({
    customerId: z.string(),
    on: optionalKindsInput.nullish(),
    off: optionalKindsInput.nullish(),
  })
  .refine(
    ({ on, off }) => !on?.some((kind) => off?.includes(kind)),
    coded('INVALID', 'on', 'must have no kind that is also in off'),
  );

/**
 * Switches optional kinds of mails to a customer on and off; kinds that are not named do not change. Pending mails of kinds
 * that are off are dropped. Errors: NOT_FOUND; BAD_REQUEST for a kind that is always sent, and for an erased customer.
 */
export function switchMails(
  session: Session,
  { customerId, on, off }: z.output<typeof switchMailsInput>,
): Promise<Customer> {
  return command(session, async (session) => {
    const locked = await lockCustomer(session, { id: customerId });
    if (!locked) throw new DomainError('NOT_FOUND', `Customer ${customerId} not found`);
    const { customer } = locked;
    if (customer.erasedAt) {
      throw invalid('INVALID_STATE', 'customerId', 'is a customer whose personal data is erased');
    }
    const kept = customer.mailsOff.filter((kind) => !on?.includes(kind));
    await setMailsOff(session, customer, [...kept, ...(off ?? [])]);
    return customer;
  });
}
