import { z } from 'zod';
import { command } from '../command.ts';
import { DomainError } from '../errors.ts';
import { changesTo } from '../inputs.ts';
import { checkTax } from '../invoices/tax-input.ts';
import { patch } from '../patch.ts';
import type { Session } from '../session.ts';
import { customerFields } from './customer-input.ts';
import { lockCustomer } from './lock-customer.ts';

export const updateCustomerInput = z.object({
  externalId: z.string(),
  customer: z.object(changesTo(customerFields)),
});

/** Changes what a customer says of itself and how it is taxed from now on. Errors: NOT_FOUND, also for an archived one; BAD_REQUEST. */
export function updateCustomer(
  session: Session,
  { externalId, customer: changes }: z.output<typeof updateCustomerInput>,
) {
  return command(session, async (session) => {
    const held = await lockCustomer(session, { externalId, archived: false });
    if (!held) throw unknownCustomer(externalId);
    const { email, name, logoURL, iconURL, domain, userId } = changes;
    const { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = changes;
    const tax = { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState };
    const customer = patch(held.customer, {
      email,
      name,
      logoURL,
      iconURL,
      domain,
      userId,
      ...tax,
    });
    checkTax('customer', customer);
    return customer;
  });
}

/** What is said of an external id that no customer has who is not archived. */
export const unknownCustomer = (externalId: string) =>
  new DomainError('NOT_FOUND', `Customer with external id ${externalId} not found`);
