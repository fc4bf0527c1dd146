import { randomBytes } from 'node:crypto';
import type { RequiredEntityData } from '@mikro-orm/core';
import { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import { atTestClock } from '#domain/rules/locks/at-instant.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { subscribeToFreePlan } from './free-plan.ts';

type Columns = Omit<RequiredEntityData<Customer>, 'invoiceNumberBase' | 'testClock'>;

/** A new customer with its subscription; null when the free product is not for sale. */
export interface AddedCustomer {
  readonly customer: Customer;
  readonly subscription: Subscription | null;
}

/** Part of a transaction: adds a customer and subscribes it to the pricing model's free default product. */
export async function addCustomer(
  session: Session,
  { testClockId, ...columns }: Columns & { readonly testClockId?: string | null },
): Promise<AddedCustomer> {
  const { em } = session;
  const atClock = await atTestClock(session, testClockId ?? null);
  const customer = em.create(Customer, {
    ...columns,
    testClock: testClockId ?? null,
    invoiceNumberBase: await freeInvoiceNumberBase(session),
  } as RequiredEntityData<Customer>);
  await em.flush();
  return { customer, subscription: await subscribeToFreePlan(atClock, customer) };
}

async function freeInvoiceNumberBase({ em, organizationId, livemode }: Session): Promise<string> {
  for (;;) {
    const invoiceNumberBase = randomBytes(4).toString('hex').slice(0, 7).toUpperCase();
    const taken = { organizationId, livemode, invoiceNumberBase };
    // Unique in the whole organization and mode, not only in the pricing model.
    if (!(await em.findOne(Customer, taken, { filters: { tenant: false } }))) {
      return invoiceNumberBase;
    }
  }
}
