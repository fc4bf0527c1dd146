import { z } from 'zod';
import {
  lockDefaultPricingModel,
  unsetDefaultPricingModel,
} from '#domain/catalog/default-pricing-model.ts';
import { openPricingModel } from '#domain/catalog/open-pricing-model.ts';
import { command } from '#domain/kernel/command.ts';
import { nameInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { intervalUnits } from '#domain/model/catalog/price.ts';

export const createPricingModelInput = z.object({
  pricingModel: z.object({ name: nameInput, isDefault: z.boolean().nullish() }),
  defaultPlanIntervalUnit: z.enum(intervalUnits).nullish(),
});

export type CreatePricingModelInput = z.output<typeof createPricingModelInput>;

/**
 * Creates a pricing model in the key's mode, with its free default product and price. The first of its mode is the
 * default unless the input refuses that. The free price is a subscription when an interval is given, else a single
 * payment. Errors: BAD_REQUEST for a second live pricing model.
 */
export function createPricingModel(session: Session, input: CreatePricingModelInput) {
  const { name } = input.pricingModel;

  return command(session, async (session) => {
    const current = await lockDefaultPricingModel(session);
    const isDefault = input.pricingModel.isDefault ?? !current;
    if (isDefault) await unsetDefaultPricingModel(session, current);
    const intervalUnit = input.defaultPlanIntervalUnit ?? null;
    return openPricingModel(session, { name, isDefault, intervalUnit });
  });
}
