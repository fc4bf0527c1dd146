import { z } from 'zod';
import { largestCharge } from '#domain/invoicing/billing/one-off-lines.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { nameInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { costOf, exactNumberInput, unitsOfNumber } from '#domain/kernel/values/decimal.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

export const oneOffChargeFields = {
  name: nameInput,
  description: textInput,
  quantity: exactNumberInput.refine(
    (quantity) => quantity > 0,
    coded('OUT_OF_RANGE', [], 'must be above 0'),
  ),
  unitPrice: z
    .int()
    .min(
      1,
      'must be 1 or more: to reduce the next invoice, credit an earlier one to the credit balance',
    ),
};

/** Refuses a charge that amounts to nothing, and one that no invoice has room for. Errors: BAD_REQUEST. */
export function requireBillable({ quantity, unitPrice }: { quantity: number; unitPrice: number }) {
  const amount = costOf(unitsOfNumber(quantity), unitPrice, 1);
  if (amount < 1n) {
    const why = `amounts to 0 with this quantity: a charge amounts to 1 or more`;
    throw invalid('OUT_OF_RANGE', 'oneOffCharge.unitPrice', why);
  }
  if (amount <= BigInt(largestCharge)) return;
  const why = `amounts to more than ${largestCharge} with this quantity, which is the most that can be billed`;
  throw invalid('OUT_OF_RANGE', 'oneOffCharge.unitPrice', why);
}

/** The price that a charge names for its taxes. Errors: BAD_REQUEST for an unknown price, and another currency. */
export async function priceOf(
  { em }: Session,
  { id, currency }: Subscription,
  priceId: string | null | undefined,
): Promise<Price | null> {
  if (priceId == null) return null;
  const price = await em.findOne(Price, priceId);
  if (!price) throw invalid('NOT_FOUND', 'oneOffCharge.priceId', `Unknown price ${priceId}`);
  if (price.unitPrice === 0 || price.currency === currency) return price;
  const why = `is in ${price.currency}, and ${id} is in ${currency}: use a price in ${currency}, or none`;
  throw invalid('MISMATCH', 'oneOffCharge.priceId', why);
}
