import { z } from 'zod';
import { checkDaysUntilDue } from '#domain/invoicing/billing/collection-input.ts';
import { checkExemption, checkTax } from '#domain/invoicing/billing/tax-input.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { optionalMailKinds } from '#domain/model/mail/mail-kinds.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { addCustomerWithoutPlan } from '#domain/subscriptions/lifecycle/add-customer.ts';
import { subscribeToFreePlan } from '#domain/subscriptions/lifecycle/free-plan.ts';
import { customerFields, externalIdInput } from './customer-input.ts';

export const createCustomerInput = z.object({
  customer: z.object({
    ...customerFields,
    externalId: externalIdInput,
    testClockId: z.string().nullish(),
    archived: z
      .boolean()
      .refine(
        (archived) => !archived,
        coded('NOT_ALLOWED', [], 'must be false: use the operation that archives a customer'),
      )
      .nullish(),
  }),
});

/** A new customer with its subscription; null when the free product is not for sale. */
export interface CreatedCustomer {
  readonly customer: Customer;
  readonly subscription: Subscription | null;
  readonly subscriptionItems: readonly SubscriptionItem[] | null;
}

/**
 * Adds a customer and subscribes it to the pricing model's free default product. Errors: BAD_REQUEST for a taken
 * external id, half of a tax rule, and an unknown test clock.
 */
export function createCustomer(
  session: Session,
  input: z.output<typeof createCustomerInput>,
): Promise<CreatedCustomer> {
  return command(session, async (session) => {
    const { customer, session: own } = await createWithoutPlan(session, input);
    const subscription = await subscribeToFreePlan(own, customer, { isFirst: true });
    const subscriptionItems = (await subscription?.items.loadItems()) ?? null;
    return { customer, subscription, subscriptionItems };
  });
}

/**
 * The part of `createCustomer` before the free plan, for a transaction that subscribes the customer to something else.
 * Also returns a session at the time of the customer. Errors: those of `createCustomer`.
 */
export async function createWithoutPlan(
  session: Session,
  { customer: { testClockId, archived: _, ...fields } }: z.output<typeof createCustomerInput>,
) {
  checkTax('customer', fields);
  checkExemption(fields);
  const collectionMethod = fields.collectionMethod ?? 'charge_automatically';
  checkDaysUntilDue('customer.daysUntilDue', { ...fields, collectionMethod });
  if (testClockId != null && !(await session.em.findOne(TestClock, testClockId))) {
    throw invalid('NOT_FOUND', 'customer.testClockId', `Unknown test clock ${testClockId}`);
  }
  return addCustomerWithoutPlan(session, {
    ...fields,
    taxIds: fields.taxIds ?? [],
    taxInclusive: fields.taxInclusive ?? false,
    taxExempt: fields.taxExempt ?? 'none',
    collectionMethod,
    daysUntilDue: fields.daysUntilDue ?? null,
    mailsOff: optionalMailKinds.filter((kind) => fields.mailsOff?.includes(kind)),
    consolidatesInvoices: fields.consolidatesInvoices ?? null,
    testClockId: testClockId ?? null,
  });
}
