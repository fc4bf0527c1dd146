import { randomBytes } from 'node:crypto';
import type { RequiredEntityData } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atTestClock } from '#domain/platform/locks/at-instant.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { subscribeToFreePlan } from './free-plan.ts';

type Columns = Omit<RequiredEntityData<Customer>, 'invoiceNumberBase' | 'testClock'>;

/** A new customer with its subscription; null when the free product is not for sale. */
export interface AddedCustomer {
  readonly customer: Customer;
  readonly subscription: Subscription | null;
}

type Fields = Columns & { readonly testClockId?: string | null };

/** Part of a transaction: adds a customer and subscribes it to the pricing model's free default product. */
export async function addCustomer(session: Session, fields: Fields): Promise<AddedCustomer> {
  const { customer, session: own } = await addCustomerWithoutPlan(session, fields);
  return { customer, subscription: await subscribeToFreePlan(own, customer, { isFirst: true }) };
}

/**
 * Part of a transaction: adds a customer who has no subscription yet. Also returns a session at the time of the
 * customer, whom no other transaction sees: it needs no lock.
 */
export async function addCustomerWithoutPlan(
  session: Session,
  { testClockId, ...columns }: Fields,
): Promise<{ readonly session: Session; readonly customer: Customer }> {
  const { em } = session;
  const atClock = await atTestClock(session, testClockId ?? null);
  const customer = em.create(Customer, {
    ...columns,
    testClock: testClockId ?? null,
    invoiceNumberBase: await freeInvoiceNumberBase(session),
  } as RequiredEntityData<Customer>);
  await em.flush();
  return { session: atClock, customer };
}

async function freeInvoiceNumberBase({ em, organizationId, livemode }: Session): Promise<string> {
  for (;;) {
    const invoiceNumberBase = randomBytes(4).toString('hex').slice(0, 7).toUpperCase();
    // Unique in the whole organization and mode, not only in the pricing model.
    const taken = await statement(
      em,
      'customer of an invoice number base',
      'select 1 from customer where organization_id = $1 and livemode = $2 and invoice_number_base = $3',
      [organizationId, livemode, invoiceNumberBase],
    );
    if (taken.length === 0) return invoiceNumberBase;
  }
}
