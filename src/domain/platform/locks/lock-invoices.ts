import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { atPresent } from './at-instant.ts';
import { lockCustomer } from './lock-customer.ts';
import { lockSubscriptionsOf } from './lock-subscription.ts';

const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
const oldest = { invoiceDate: 'asc', createdAt: 'asc', position: 'asc' } as const;

/**
 * Locks a customer, all its subscriptions and some of its invoices, the oldest invoice first, in the one lock order.
 * Errors: NOT_FOUND.
 */
export async function lockInvoices(
  session: Session,
  customerId: string,
  where: FilterQuery<NoInfer<Invoice>>,
) {
  const locked = await lockCustomer(session, { id: customerId });
  if (!locked) throw new DomainError('NOT_FOUND', `Customer ${customerId} not found`);
  const subscriptions = await lockSubscriptionsOf(locked.session, customerId);
  const of = { $and: [{ customer: customerId }, where] };
  const invoices = await session.em.find(Invoice, of as FilterQuery<Invoice>, {
    ...lock,
    orderBy: oldest,
  });
  const byId = new Map(subscriptions.map((one) => [one.id, one]));
  return {
    ...locked,
    session: await atPresent(locked.session, subscriptions),
    invoices,
    /** The locked subscription of one of the invoices, if it has one. */
    subscriptionOf: ({ subscriptionId }: Invoice) => byId.get(subscriptionId ?? '') ?? null,
  };
}
