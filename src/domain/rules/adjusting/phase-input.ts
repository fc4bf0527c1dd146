import { z } from 'zod';
import { coded } from '#domain/kernel/input-issues.ts';
import { amountInput, countInput, instantInput, nameInput } from '#domain/kernel/inputs.ts';
import { listInput } from '#domain/kernel/list-input.ts';
import { intervalUnits } from '#domain/prices/price.ts';
import { itemDiscountInput } from '#domain/rules/catalog/item-discount-input.ts';
import { phaseTimings } from '#domain/subscription-phases/subscription-phase.ts';
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
  .refine(
    ({ priceId, priceSlug }) => (priceId == null) !== (priceSlug == null),
    coded('INVALID', 'priceId', 'give either priceId or priceSlug'),
  );

export const phaseItemsInput = listInput(phaseItemInput, mostItems, 1);

export const phaseTimingInput = z.enum(phaseTimings);

const phaseFields = {
  timing: phaseTimingInput.nullish(),
  startsAt: instantInput.nullish(),
  after: z
    .object({ interval: z.enum(intervalUnits), intervalCount: countInput.max(1_000).nullish() })
    .nullish(),
  items: phaseItemsInput,
};

const oneStart = [
  ({
    startsAt,
    after,
  }: {
    startsAt?: Date | null | undefined;
    after?: object | null | undefined;
  }) => (startsAt == null) !== (after == null),
  coded('INVALID', 'startsAt', 'give either startsAt or after'),
] as const;

/** A phase of a new subscription. */
export const phaseInput = z.object(phaseFields).refine(...oneStart);

/** A phase of an existing one. */
export const ownPhaseInput = z
  .object({ subscriptionId: z.string(), ...phaseFields })
  .refine(...oneStart);

export type PhaseInput = z.output<typeof phaseInput>;
