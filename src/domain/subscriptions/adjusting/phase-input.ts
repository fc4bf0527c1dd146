import { z } from 'zod';
import { itemDiscountInput } from '#domain/catalog/item-discount-input.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { amountInput, countInput, instantInput, nameInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { intervalUnits } from '#domain/model/catalog/price.ts';
import { phaseTimings } from '#domain/model/subscriptions/subscription-phase.ts';
import { mostItems } from './adjust-input.ts';

/** The largest number of planned phases of a subscription. */
export const mostPhases = 50;

const phaseItemInput = z
  .object({
    priceId: z.string().nullish(),
    priceSlug: z.string().nullish(),
    quantity: countInput.nullish(),
    unitPrice: amountInput.nullish(),
    discountPercentage: itemDiscountInput.nullish(),
    name: nameInput.nullish(),
  })
  .refine(...exactlyOne(['priceId', 'priceSlug']));

export const phaseItemsInput = listInput(phaseItemInput, mostItems, 1);

/** An item of a phase that is to be planned. */
export type PhaseItemInput = z.output<typeof phaseItemInput> & {
  /** Whether its price may be one that is not sold any more. */
  readonly keepsRetired?: boolean | undefined;
};

export const phaseTimingInput = z.enum(phaseTimings);

const phaseFields = {
  timing: phaseTimingInput.nullish(),
  startsAt: instantInput.nullish(),
  after: z
    .object({ interval: z.enum(intervalUnits), intervalCount: countInput.max(1_000).nullish() })
    .nullish(),
  items: phaseItemsInput,
};

const oneStart = exactlyOne(['startsAt', 'after']);

/** A phase of a new subscription. */
export const phaseInput = z.object(phaseFields).refine(...oneStart);

/** A phase of an existing one. */
export const ownPhaseInput = z
  .object({ subscriptionId: z.string(), ...phaseFields })
  .refine(...oneStart);

export type PhaseInput = Omit<z.output<typeof phaseInput>, 'items'> & {
  readonly items: PhaseItemInput[];
};
