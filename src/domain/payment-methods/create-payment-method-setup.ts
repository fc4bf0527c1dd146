import { z } from 'zod';
import { Customer } from '#domain/customers/customer.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { webAddressInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/organizations/organization.ts';
import { saveCustomerAt } from '#domain/rules/collection/save-customer.ts';
import { firstStep } from '#domain/rules/idempotency/first-step.ts';
import { atCustomersPresent } from '#domain/rules/locks/customers-present.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import { defaultProcessorName, processorOf } from '#domain/rules/processing/processor-of.ts';
import { PaymentMethodSetup } from './payment-method-setup.ts';

export const createPaymentMethodSetupInput = z.object({
  paymentMethodSetup: z.object({
    customerId: z.string(),
    returnUrl: webAddressInput,
    cancelUrl: webAddressInput,
    default: z.boolean().nullish(),
  }),
});

type Input = z.output<typeof createPaymentMethodSetupInput>;

/**
 * Opens a page of the processor where a customer enters a payment method. Errors: BAD_REQUEST for an unknown or archived
 * customer, and where no processor is configured.
 */
export async function createPaymentMethodSetup(
  session: Session,
  { paymentMethodSetup: input }: Input,
): Promise<PaymentMethodSetup> {
  const name = await defaultProcessorName(session);
  const { done: id } = await firstStep(session, async ({ em }) => {
    const customer = await em.findOne(Customer, input.customerId);
    if (!customer) throw refused('NOT_FOUND', `Unknown customer ${input.customerId}`);
    if (customer.archived) throw refused('ARCHIVED', `${customer.id} is archived`);
    const { returnUrl, cancelUrl } = input;
    const setup = em.create(PaymentMethodSetup, {
      customer,
      returnUrl,
      cancelUrl,
      default: input.default ?? true,
      processor: name.processor,
      processorAccountId: name.processorAccountId ?? null,
    });
    await em.flush();
    return setup.id;
  });
  await openSetupPage(session, id);
  return afresh(session).em.findOneOrFail(PaymentMethodSetup, id);
}

/** Opens the page of a stored set-up; the key is its id, so a repetition finds the same page. */
async function openSetupPage(session: Session, id: string) {
  refuseTransaction(session);
  const present = afresh(session);
  const setup = await present.em.findOneOrFail(PaymentMethodSetup, id);
  if (setup.url) return;
  const processor = await processorOf(present, setup);
  const then = await atCustomersPresent(present, setup.customerId);
  const { currency } = await present.em.findOneOrFail(Organization, session.organizationId);
  const page = await processor.openSetup(then, {
    idempotencyKey: id,
    customerReference: await saveCustomerAt(then, processor, setup.customerId, setup),
    returnUrl: withSetup(setup.returnUrl, id),
    cancelUrl: setup.cancelUrl,
    currency,
    metadata: { setup_id: id, organization_id: session.organizationId },
  });
  await command(afresh(session), async ({ em }) => {
    const stored = await em.findOneOrFail(PaymentMethodSetup, id);
    stored.url = page.url;
    stored.expiresAt = page.expiresAt;
    stored.processorReference = page.reference;
  });
}

/** The return address names the set-up, so that the application completes the right one. */
function withSetup(returnUrl: string, id: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('setup', id);
  return url.href;
}

const refused = (code: 'NOT_FOUND' | 'ARCHIVED', message: string) =>
  invalid(code, 'paymentMethodSetup.customerId', message);
