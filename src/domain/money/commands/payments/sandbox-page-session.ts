import type { EntityManager } from '@mikro-orm/postgresql';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxPage } from '#domain/model/money/sandbox-objects.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { checkoutPageOf } from '#domain/money/methods/checkout-page-of.ts';
import { keyOfConfirmation } from '#domain/platform/access/confirmation-link.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';

/** The content of a page of the sandbox, with a session of its tenant. */
export interface ShownPage {
  readonly session: Session;
  readonly kind: 'setup' | 'payment' | 'confirmation';
  readonly status: 'open' | 'completed' | 'expired';
  readonly reference: string;
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
}

const unfiltered = { filters: { tenant: false } } as const;

/**
 * Finds a page by its unguessable reference; a caller that knows that may use the page. Pages of test mode only exist.
 */
export async function findSandboxPage(
  em: EntityManager,
  reference: string,
  now: Date,
): Promise<ShownPage | undefined> {
  const page = await em.fork().findOne(SandboxPage, reference);
  if (!page) return undefined;
  const customerId = page.customerReference.replace('sandbox_cus_', '');
  const session = await sessionFor(em, page, customerId, now);
  const isLate = page.status === 'open' && page.expiresAt <= session.now;
  const { kind, currency, returnUrl, cancelUrl, amount, description } = page;
  return {
    session,
    kind,
    status: isLate ? 'expired' : page.status,
    reference,
    amount: amount ?? null,
    currency,
    description: description ?? null,
    returnUrl,
    cancelUrl,
  };
}

/** Finds a charge that waits for the confirmation of its customer, by the signed name of its page. */
export async function findSandboxConfirmation(
  em: EntityManager,
  name: string,
  now: Date,
): Promise<ShownPage | undefined> {
  const key = keyOfConfirmation(name);
  if (key === undefined) return undefined;
  const payment = await em.fork().findOne(Payment, { idempotencyKey: key }, unfiltered);
  const charge = await em.fork().findOne(SandboxCharge, key);
  if (!payment || !charge) return undefined;
  const { amount, currency, description } = payment;
  const session = await sessionFor(em, payment, payment.customerId, now);
  const checkout = await checkoutPageOf(session, payment, ['pending', 'succeeded']);
  return {
    session,
    kind: 'confirmation',
    status: charge.status === 'requires_action' ? 'open' : 'completed',
    reference: key,
    amount,
    currency,
    description: description ?? null,
    returnUrl: checkout,
    cancelUrl: checkout,
  };
}

async function sessionFor(
  em: EntityManager,
  { organizationId, pricingModelId }: { organizationId: string; pricingModelId: string },
  customerId: string,
  now: Date,
): Promise<Session> {
  const scope = { organizationId, pricingModelId, livemode: false, keyType: 'secret' } as const;
  const session = openSession(em, { ...scope, now, causeId: 'sandbox-page' });
  const customer = await session.em.findOne(Customer, customerId);
  return customer ? { ...session, now: await nowOf(session, customer) } : session;
}
