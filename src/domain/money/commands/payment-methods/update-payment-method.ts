import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { lockPaymentMethod, makeDefault } from '#domain/money/methods/make-default.ts';
import { billingDetailsInput, changedDetails } from './billing-details.ts';

export const updatePaymentMethodInput = z.object({
  id: z.string(),
  expectedVersion: expectedVersionInput,
  paymentMethod: z.object({
    default: z.boolean().nullish(),
    billingDetails: billingDetailsInput.nullish(),
    metadata: metadataInput.nullish(),
  }),
});

/**
 * Changes a payment method. `metadata` replaces all of it, and null removes it. Owed amounts of a new default become
 * due, and the next billing round charges them. Errors: NOT_FOUND; BAD_REQUEST for a detached one, and for a default
 * that is unset.
 */
export function updatePaymentMethod(
  session: Session,
  { id, expectedVersion, paymentMethod: changes }: z.output<typeof updatePaymentMethodInput>,
): Promise<PaymentMethod> {
  return command(session, async (session) => {
    const { method, ...held } = await lockPaymentMethod(session, id);
    expectVersion(method, expectedVersion);
    if (method.detachedAt) {
      throw invalid('ARCHIVED', 'id', `${id} is detached and cannot be used any longer`);
    }
    const { billingDetails, metadata, default: isDefault } = changes;
    if (isDefault === false && method.default) {
      throw invalid(
        'IMMUTABLE',
        'paymentMethod.default',
        'cannot be unset: make another payment method the default',
      );
    }
    if (billingDetails)
      method.billingDetails = changedDetails(method.billingDetails, billingDetails);
    if (metadata !== undefined) method.metadata = metadata;
    if (isDefault && !method.default) await makeDefault(held.session, method);
    return method;
  });
}
