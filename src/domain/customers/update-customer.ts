import { z } from 'zod';
import { command } from '../command.ts';
import { DomainError, invalid } from '../errors.ts';
import { changesTo } from '../inputs.ts';
import { checkTax } from '../invoices/tax-input.ts';
import { patch } from '../patch.ts';
import type { Session } from '../session.ts';
import type { Customer } from './customer.ts';
import { customerFields } from './customer-input.ts';
import { lockCustomer } from './lock-customer.ts';

export const updateCustomerInput = z.object({
  externalId: z.string(),
  customer: z.object(changesTo(customerFields)),
});

type Changes = z.output<typeof updateCustomerInput>['customer'];

/**
 * Changes what a customer says of itself and how it is taxed from now on. A `taxType` of null removes the customer's
 * own rule. Errors: NOT_FOUND, also for an archived one; BAD_REQUEST.
 */
export function updateCustomer(
  session: Session,
  { externalId, customer: changes }: z.output<typeof updateCustomerInput>,
) {
  return command(session, async (session) => {
    const held = await lockCustomer(session, { externalId, archived: false });
    if (!held) throw unknownCustomer(externalId);
    const { email, name, logoURL, iconURL, domain, userId } = changes;
    const { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = changes;
    if (taxType === null) removeTax(held.customer, changes);
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

/** Removes a customer's own tax rule as a whole, so that the organization's holds. Errors: BAD_REQUEST. */
function removeTax(customer: Customer, { taxType: _, ...changes }: Changes) {
  for (const name of ['taxRatePercentage', 'taxInclusive', 'taxCountry', 'taxState'] as const) {
    if (changes[name] == null) continue;
    throw invalid(
      `customer.${name}`,
      'must be left out where taxType is null, which removes the rule',
    );
  }
  customer.taxType = null;
  customer.taxRatePercentage = null;
  customer.taxInclusive = false;
  customer.taxCountry = null;
  customer.taxState = null;
}

/** What is said of an external id that no customer has who is not archived. */
export const unknownCustomer = (externalId: string) =>
  new DomainError('NOT_FOUND', `Customer with external id ${externalId} not found`);
