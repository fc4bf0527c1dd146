import type { Session } from '#domain/kernel/session.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { adjustmentToPrice } from '#domain/subscriptions/adjusting/adjust-to-price.ts';
import {
  type MoveTerms,
  type PriceMoveInput,
  termsOfMove,
} from '#domain/subscriptions/adjusting/move-terms.ts';
import {
  countPhases,
  countSubscribers,
  type Subscribers,
  subscribersOf,
} from '#domain/subscriptions/adjusting/subscribers-of-price.ts';
import { type PreviewedAdjustment, preview } from './preview-adjustment.ts';

/** The number of subscriptions that a preview adjusts as examples. */
export const mostExamples = 10;

/** The effect of a move. */
export interface PreviewedMove {
  readonly subscriptionCount: number;
  /** The planned phases that name the price, and get the new one. */
  readonly phaseCount: number;
  /** The price of all their items in one period before and after the move; minor units of `currency`. */
  readonly currentTotal: number;
  readonly newTotal: number;
  readonly currency: string;
  /** The adjustments of the first subscriptions. */
  readonly examples: readonly PreviewedAdjustment[];
}

/**
 * Previews a move: the sums of all subscribers, and the exact adjustments of some. It writes nothing. Errors: those of
 * `createPriceMove`.
 */
export async function previewPriceMove(
  session: Session,
  input: PriceMoveInput,
): Promise<PreviewedMove> {
  const terms = await termsOfMove(session, input);
  const { from, to } = terms;
  const subscribers = await countSubscribers(session, from.id);
  const planned = await countPhases(session, from.id);
  const examples: PreviewedAdjustment[] = [];
  for (const id of await subscribersOf(session, from.id, { after: null, limit: mostExamples })) {
    examples.push(await preview(afresh(session), id, (locked) => adjustmentToPrice(locked, terms)));
  }
  return {
    subscriptionCount: subscribers.subscriptions + planned.subscriptions,
    phaseCount: planned.phases,
    currentTotal: subscribers.total,
    newTotal: newTotalOf(subscribers, terms),
    currency: from.unitPrice > 0 ? from.currency : to.currency,
    examples,
  };
}

function newTotalOf(
  { quantity, negotiatedQuantity, negotiatedTotal }: Subscribers,
  { to, keepNegotiatedPrices }: MoveTerms,
): number {
  if (!keepNegotiatedPrices) return quantity * to.unitPrice;
  return negotiatedTotal + (quantity - negotiatedQuantity) * to.unitPrice;
}
