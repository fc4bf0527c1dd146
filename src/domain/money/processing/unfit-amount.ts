import { toStripe, UnfitAmount } from '#domain/money/processing/stripe/amounts.ts';
import type { ProcessorName } from './processor-of.ts';

/**
 * Why a processor can move no such amount, in minor units, by a charge or refund of its own: for example, Stripe moves
 * only multiples of 10 in a currency with three decimals. Undefined for an amount that it can move.
 */
export function unfitAmount(
  { processor }: ProcessorName,
  amount: number,
  currency: string,
): string | undefined {
  if (processor !== 'stripe') return undefined;
  try {
    toStripe(amount, currency);
    return undefined;
  } catch (error) {
    if (error instanceof UnfitAmount) return error.message;
    throw error;
  }
}
