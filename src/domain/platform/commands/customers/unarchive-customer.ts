import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { subscribeToFreePlan } from '#domain/subscriptions/lifecycle/free-plan.ts';

export const unarchiveCustomerInput = z.object({ id: z.string() });

/** A customer with the subscription that it got; null when it was not archived, or there is no free plan. */
export interface UnarchivedCustomer {
  readonly customer: Customer;
  readonly subscription: Subscription | null;
}

/**
 * Restores an archived customer under its external id. Its subscriptions stay ended, and it gets the free plan as a
 * new customer does. One that is not archived is returned as it is. Errors: NOT_FOUND; BAD_REQUEST when another
 * customer has the external id now, and for an erased one.
 */
export function unarchiveCustomer(
  session: Session,
  { id }: z.output<typeof unarchiveCustomerInput>,
): Promise<UnarchivedCustomer> {
  const taken = ['TAKEN', 'id', 'has an external id that another customer has now'] as const;
  return command(
    session,
    async (session) => {
      const held = await lockCustomer(session, { id });
      if (!held) throw new DomainError('NOT_FOUND', `Customer ${id} not found`);
      const { customer } = held;
      if (customer.erasedAt) {
        throw invalid('INVALID_STATE', 'id', 'is a customer whose personal data is erased');
      }
      if (!customer.archived) return { customer, subscription: null };
      customer.archived = false;
      await session.em.flush();
      return { customer, subscription: await subscribeToFreePlan(held.session, customer) };
    },
    { customer_external_id_unique: taken },
  );
}
