import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { detachLocked } from '#domain/money/methods/detach-locked.ts';
import { revokeTokens } from '#domain/platform/access/revoke-tokens.ts';
import { redactEvents } from '#domain/platform/feed/redact-events.ts';
import { eraseAnswers } from '#domain/platform/idempotency/erase-answers.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { countAcceptedUsageOfCustomers } from '#domain/recording/inbox/count-accepted-usage.ts';
import { eraseRefusals } from '#domain/recording/inbox/erase-refusals.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { eraseMails } from './erase-mails.ts';
import { type ErasedRecords, erasedFields, eraseRecords } from './erase-records.ts';
import { type KeptRecords, keptRecords } from './kept-records.ts';
import { documentTexts, erasedCustomer } from './personal-data.ts';
import { requireErasable } from './require-erasable.ts';

export const eraseCustomerInput = z.object({ id: z.string() });

/** A customer without personal data, and the report. */
export interface ErasedCustomer {
  readonly customer: Customer;
  readonly erased: readonly ErasedRecords[];
  readonly kept: readonly KeptRecords[];
}

/**
 * Erases the personal data of an archived customer for good: in its records, in events, deliveries and causes, and in
 * stored answers. Documents and payments stay, because laws require them. Its payment methods are detached, its tokens
 * revoked and its open pages expired. One that is erased already is erased again, which changes nothing. Errors:
 * NOT_FOUND; BAD_REQUEST for a customer that is not archived, that owes money or that has a payment in progress.
 */
export async function eraseCustomer(
  session: Session,
  { id }: z.output<typeof eraseCustomerInput>,
): Promise<ErasedCustomer> {
  await countAcceptedUsageOfCustomers(session, [id]);
  return command(session, async (session) => {
    const locked = await lockCustomer(session, { id });
    if (!locked) throw new DomainError('NOT_FOUND', `Customer ${id} not found`);
    const { customer } = locked;
    await lockSubscriptionsOf(locked.session, id);
    await requireErasable(locked.session, customer);
    await closeAccess(locked.session, id);
    const mails = await eraseMails(locked.session, id);
    const refusals = await eraseRefusals(locked.session, customer);
    const isFirst = !customer.erasedAt;
    customer.erasedAt ??= locked.session.now;
    Object.assign(customer, erasedCustomer(customer));
    // The event of this change is redacted with all others.
    await session.em.flush();
    const records = await eraseRecords(locked.session, id);
    const traces = await eraseTraces(locked.session, customer);
    const own = isFirst ? [{ kind: 'Customer', count: 1 }] : [];
    const others = [
      { kind: 'UsageRefusal', count: refusals },
      { kind: 'Mail', count: mails },
    ];
    const erased = [...own, ...records, ...others, ...traces].filter(({ count }) => count > 0);
    return { customer, erased, kept: await keptRecords(locked.session, id) };
  });
}

/** Detaches the payment methods, revokes the tokens, and expires the pages on which the customer could still act. */
async function closeAccess(session: Session, customerId: string) {
  const { em, now } = session;
  const orderBy = { id: 'asc' } as const;
  for (const method of await em.find(
    PaymentMethod,
    { customer: customerId, detachedAt: null },
    { orderBy },
  )) {
    await detachLocked(session, method);
    if (method.processor !== 'sandbox') method.detachDueAt = now;
  }
  const open = { customer: customerId, status: 'open' } as const;
  for (const page of await em.find(PaymentMethodSetup, open, { orderBy })) page.status = 'expired';
  for (const page of await em.find(CheckoutSession, open, { orderBy })) page.status = 'expired';
  await revokeTokens(session, { customer: customerId });
}

/** Erases the copies that the feed, the audit log and stored answers have. */
async function eraseTraces(session: Session, customer: Customer) {
  const answers = await eraseAnswers(session, customer.id);
  const events = await redactEvents(session, customer.id, {
    ...erasedFields(),
    ...documentTexts,
    Customer: erasedCustomer(customer),
  });
  const addresses = await statement(
    session.em,
    undefined,
    `update cause set address = null
     where pricing_model_id = $1 and actor_type = 'customer_token' and address is not null
       and actor_id in (select id from customer_token where customer_id = $2)
     returning id`,
    [session.pricingModelId, customer.id],
  );
  return [
    { kind: 'Event', count: events },
    { kind: 'Cause', count: addresses.length },
    { kind: 'IdempotencyKey', count: answers },
  ];
}
