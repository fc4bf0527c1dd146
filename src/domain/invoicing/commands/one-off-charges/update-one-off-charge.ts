import { ref } from '@mikro-orm/core';
import { z } from 'zod';
import { expectedVersionInput } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import type { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { lockPending } from './lock-pending.ts';
import { oneOffChargeFields, priceOf, requireBillable } from './one-off-charge-input.ts';

export const updateOneOffChargeInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    oneOffCharge: z.object(
      changesTo({ id: z.string(), ...oneOffChargeFields, priceId: z.string() }),
    ),
  })
  .refine(...sameId('oneOffCharge'));

/**
 * Changes a pending charge; null empties its description and its price. Errors: NOT_FOUND; BAD_REQUEST for one that is
 * billed, and for an unknown price.
 */
export const updateOneOffCharge = (
  session: Session,
  { oneOffCharge: changes, ...wanted }: z.output<typeof updateOneOffChargeInput>,
): Promise<OneOffCharge> =>
  lockPending(session, wanted, async ({ session, subscription }, charge) => {
    const { name, description, quantity, unitPrice, priceId } = changes;
    patch(charge, { name, quantity, unitPrice });
    patchNullable(charge, { description });
    requireBillable(charge);
    if (priceId !== undefined) {
      const price = await priceOf(session, subscription, priceId);
      charge.price = price && ref(price);
    }
    await session.em.flush();
    return charge;
  });
