import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/expected-version.ts';
import { coded } from '#domain/kernel/input-issues.ts';
import { changesTo, nameInput, sameId } from '#domain/kernel/inputs.ts';
import { patch } from '#domain/kernel/patch.ts';
import type { Session } from '#domain/kernel/session.ts';
import {
  lockDefaultPricingModel,
  unsetDefaultPricingModel,
} from '#domain/rules/catalog/default-pricing-model.ts';
import { PricingModel } from './pricing-model.ts';

/** The parts of a pricing model have their own calls; here they are refused instead of ignored. */
const part = z
  .array(z.unknown())
  .nullish()
  .refine(
    (given): boolean => given == null,
    coded(
      'NOT_ALLOWED',
      [],
      'cannot change here: use the operations of features, products, usage meters and resources',
    ),
  );

export const updatePricingModelInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    pricingModel: z.object({
      ...changesTo({ id: z.string(), name: nameInput, isDefault: z.boolean() }),
      features: part,
      products: part,
      usageMeters: part,
      resources: part,
    }),
  })
  .refine(...sameId('pricingModel'));

export type UpdatePricingModelInput = z.output<typeof updatePricingModelInput>;

/**
 * Renames a pricing model or makes it the default of its organization and mode.
 * Errors: NOT_FOUND; BAD_REQUEST when the default would be left without a successor.
 */
export function updatePricingModel(
  session: Session,
  { id, pricingModel, expectedVersion }: UpdatePricingModelInput,
) {
  const { name, isDefault } = pricingModel;

  return command(session, async (session) => {
    const { em } = session;
    if (isDefault) {
      const current = await lockDefaultPricingModel(session);
      if (current?.id !== id) await unsetDefaultPricingModel(session, current);
    }
    const model = await em.findOneOrFail(PricingModel, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    });
    expectVersion(model, expectedVersion);
    if (isDefault === false && model.isDefault) {
      throw invalid(
        'IMMUTABLE',
        'pricingModel.isDefault',
        'cannot be unset: make another pricing model the default',
      );
    }
    return patch(model, { name, isDefault });
  });
}
