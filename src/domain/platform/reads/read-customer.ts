import type { Ref } from '@mikro-orm/core';
import { later } from '#domain/kernel/columns.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { type Key, readById, readByKey } from '#domain/kernel/reads/read-by-id.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

const byExternalId: Key = {
  column: 'external_id',
  among: 'not record.archived',
  where: (externalId) => ({ externalId, archived: false }),
};

/** The customer with this external id, unless archived. Errors: NOT_FOUND. */
export async function customerByExternalId(
  session: Session,
  externalId: string,
): Promise<Customer> {
  const customer = await readByKey(session, Customer, byExternalId, externalId);
  if (!customer) throw unknownCustomer(externalId);
  return customer;
}

/** The customer that owns a row, read only if it is not loaded yet. */
export const ownerOf = (
  session: Session,
  { customer }: { customer: Ref<Customer> },
): Customer | Promise<Customer> =>
  customer.isInitialized() ? customer.unwrap() : readById(session, Customer, customer.id);

/**
 * The present time of a customer: that of its test clock, if it has one. Otherwise never earlier than the changes
 * that the request has made under a lock.
 */
export async function nowOf({ now, clock }: Session, customer: Customer): Promise<Date> {
  if (customer.testClock) return (await customer.testClock.loadOrFail()).frozenTime;
  return clock && clock.latest > now ? clock.latest : now;
}

/** The present time of a subscription: without a test clock never earlier than its last change. */
export async function nowOfSubscription(
  session: Session,
  subscription: Subscription,
): Promise<Date> {
  const now = await nowOf(session, await ownerOf(session, subscription));
  return presentAfterChange(subscription, now);
}

/** An instant of the clock, but never earlier than the last change of a subscription in real time. */
export const presentAfterChange = (
  { testClockId, updatedAt }: Pick<Subscription, 'testClockId' | 'updatedAt'>,
  now: Date,
): Date => (testClockId ? now : later(updatedAt, now));

/** The same by the id of the test clock; null for real time. */
export async function nowOfClock(
  { em, now, clock }: Session,
  testClockId: string | null,
): Promise<Date> {
  if (testClockId) return (await em.findOneOrFail(TestClock, testClockId)).frozenTime;
  return clock && clock.latest > now ? clock.latest : now;
}

/** The refusal for an external id that no customer has, except archived ones. */
export const unknownCustomer = (externalId: string) =>
  new DomainError(
    'NOT_FOUND',
    externalId.startsWith('cust_')
      ? `Customer with external id ${externalId} not found: it looks like an id; pass the customer's externalId`
      : `Customer with external id ${externalId} not found`,
  );
