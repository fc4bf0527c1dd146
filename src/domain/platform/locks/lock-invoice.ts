import { LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { atPresent } from './at-instant.ts';
import { lockClockAndCustomer } from './lock-customer.ts';
import type { Owner } from './lock-subscription.ts';

interface OwnerOfInvoice extends Owner {
  readonly subscriptionId: string | null;
}

/** Locks an invoice with its customer and subscription, in the one lock order. Errors: NOT_FOUND. */
export async function lockInvoice(session: Session, id: string) {
  const { em } = session;
  const [found] = await statement<OwnerOfInvoice>(
    em,
    'owner of an invoice',
    `select i.customer_id as "customerId", c.test_clock_id as "testClockId", i.subscription_id as "subscriptionId"
     from invoice i join customer c on c.id = i.customer_id where i.id = $1 and i.pricing_model_id = $2`,
    [id, session.pricingModelId],
  );
  const known = found && { id: found.customerId, testClockId: found.testClockId };
  const locked = known && (await lockClockAndCustomer(session, known));
  if (!locked) throw new DomainError('NOT_FOUND', `Invoice ${id} not found`);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const subscription = found.subscriptionId
    ? await em.findOneOrFail(Subscription, found.subscriptionId, lock)
    : null;
  const invoice = await em.findOneOrFail(Invoice, id, lock);
  return {
    ...locked,
    session: await atPresent(locked.session, [subscription]),
    subscription,
    invoice,
  };
}
