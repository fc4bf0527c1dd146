import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';

/** The session at the present of a customer: that of its test clock, if it has one. */
export async function atCustomersPresent(session: Session, customerId: string): Promise<Session> {
  const customer = await session.em.findOneOrFail(Customer, customerId);
  return { ...session, now: await nowOf(session, customer) };
}
