import { z } from 'zod';
import { coded, exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { instantInput, keptText } from '#domain/kernel/inputs/inputs.ts';
import { jsonObjectInput } from '#domain/kernel/inputs/json-object-input.ts';
import { positiveDecimalInput } from '#domain/kernel/values/decimal.ts';

/** The largest number of events in one call. */
export const mostEvents = 10_000;
const nameInput = keptText(255).nullish();

/** The fields that name the meter and price of an event; exactly one is given. */
export const identifiers = ['priceId', 'priceSlug', 'usageMeterId', 'usageMeterSlug'] as const;

/** The fields that identify the owner of the usage; several must name the same customer. */
const owners = ['subscriptionId', 'customerId', 'customerExternalId'] as const;

const earliestUse = new Date('2000-01-01T00:00:00Z');

/** The time of use. An earlier one is a number of seconds, which milliseconds take for January 1970. */
const usageDateInput = instantInput.refine(
  (date) => date >= earliestUse,
  coded(
    'OUT_OF_RANGE',
    [],
    'must be in the year 2000 or later: a number is milliseconds since 1970',
  ),
);

/**
 * One event as a caller reports it. In place of the subscription it may name the customer; then it counts for the
 * customer's current subscription.
 */
export const usageEventInput = z
  .object({
    subscriptionId: nameInput,
    customerId: nameInput,
    customerExternalId: nameInput,
    amount: positiveDecimalInput,
    transactionId: keptText(255).min(1),
    usageDate: usageDateInput.nullish(),
    properties: jsonObjectInput.optional(),
    priceId: nameInput,
    priceSlug: nameInput,
    usageMeterId: nameInput,
    usageMeterSlug: nameInput,
  })
  .refine(...exactlyOne(identifiers))
  .refine(
    (event) => owners.some((name) => event[name] != null),
    coded(
      'REQUIRED',
      'subscriptionId',
      'is required unless customerId or customerExternalId is given',
    ),
  );

export type UsageEventInput = z.output<typeof usageEventInput>;
