import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';

/** A locked checkout session with its locked customer, who is null until an anonymous one is known. */
export interface LockedCheckout {
  /** The session at the time of the customer. */
  readonly session: Session;
  readonly customer: Customer | null;
  readonly checkout: CheckoutSession;
  /** The present by the real clock, which decides about the expiry of pages. */
  readonly present: Date;
}

/**
 * Runs a transaction on a locked checkout session: the customer is locked first, as everywhere. A session that gets
 * its customer meanwhile is locked again.
 */
export async function withCheckout<T>(
  session: Session,
  id: string,
  work: (locked: LockedCheckout) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await command(afresh(session), async (own) => {
        const { customerId } = await own.em.findOneOrFail(CheckoutSession, id);
        const locked = customerId ? await lockCustomer(own, { id: customerId }) : null;
        const checkout = await own.em.findOneOrFail(CheckoutSession, id, {
          lockMode: LockMode.PESSIMISTIC_WRITE,
          refresh: true,
        });
        if (checkout.customerId !== customerId) throw new CustomerKnown();
        const customer = locked?.customer ?? null;
        return work({ session: locked?.session ?? own, customer, checkout, present: own.now });
      });
    } catch (error) {
      if (!(error instanceof CustomerKnown)) throw error;
    }
  }
}

class CustomerKnown extends Error {}
