import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { webAddressInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { openSetupPage } from '#domain/money/methods/open-setup-page.ts';
import { defaultProcessorName } from '#domain/money/processing/processor-of.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';

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

const refused = (code: 'NOT_FOUND' | 'ARCHIVED', message: string) =>
  invalid(code, 'paymentMethodSetup.customerId', message);
