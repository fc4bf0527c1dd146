import { z } from 'zod';
import { positiveDecimalInput } from '#domain/kernel/decimal.ts';
import { coded } from '#domain/kernel/input-issues.ts';
import { instantInput, keptText, losesKey, lostKey } from '#domain/kernel/inputs.ts';

/** The largest number of events in one call. */
export const mostEvents = 10_000;
/** The largest size of the properties of one event, as JSON in UTF-8. */
export const largestPropertiesBytes = 8 * 1024;

/** The deepest nesting of lists and objects in the properties of one event. */
const deepestProperties = 100;

const nameInput = keptText(255).nullish();

const tooLong = (message: string) => ({
  code: 'custom' as const,
  ...coded('TOO_LONG', [], message),
});

const propertiesInput = z.unknown().superRefine((value, { addIssue }) => {
  if (value == null) return;
  if (typeof value !== 'object' || Array.isArray(value)) return addIssue('must be an object');
  if (isDeeperThan(value, deepestProperties)) {
    return addIssue(tooLong(`must be at most ${deepestProperties} levels deep`));
  }
  const json = JSON.stringify(value);
  if (losesKey(json)) addIssue(lostKey);
  if (Buffer.byteLength(json) > largestPropertiesBytes) {
    addIssue(tooLong(`must be at most ${largestPropertiesBytes} bytes of JSON`));
  }
  if (/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(json)) {
    addIssue('must contain well-formed text without U+0000');
  }
});

/** Whether a value is nested deeper than the limit; stops at the limit. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1)));

/** The fields that name the meter and price of an event; exactly one is given. */
export const identifiers = ['priceId', 'priceSlug', 'usageMeterId', 'usageMeterSlug'] as const;
export type Identifier = (typeof identifiers)[number];

/** The fields that identify the owner of the usage; several must name the same customer. */
const owners = ['subscriptionId', 'customerId', 'customerExternalId'] as const;

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
    usageDate: instantInput.nullish(),
    properties: propertiesInput.optional(),
    priceId: nameInput,
    priceSlug: nameInput,
    usageMeterId: nameInput,
    usageMeterSlug: nameInput,
  })
  .refine(
    (event) => identifiers.filter((name) => event[name] != null).length === 1,
    coded('INVALID', 'priceId', `give exactly one of ${identifiers.join(', ')}`),
  )
  .refine(
    (event) => owners.some((name) => event[name] != null),
    coded(
      'REQUIRED',
      'subscriptionId',
      'is required unless customerId or customerExternalId is given',
    ),
  );

export type UsageEventInput = z.output<typeof usageEventInput>;
