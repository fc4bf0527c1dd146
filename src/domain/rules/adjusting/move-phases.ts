import type { Session } from '#domain/kernel/session.ts';
import type { PhaseItem } from '#domain/subscription-phases/subscription-phase.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import type { MoveTerms } from './move-terms.ts';
import { plannedPhases } from './plan-phase.ts';

/**
 * Gives the items of planned phases of a locked subscription the new price of a move, as its present items get it. Returns
 * the number of phases with the old price.
 */
export async function movePhases(
  session: Session,
  subscription: Subscription,
  terms: MoveTerms,
): Promise<number> {
  const named = (await plannedPhases(session, subscription)).filter(({ items }) =>
    items.some(({ priceId }) => priceId === terms.from.id),
  );
  for (const phase of named) phase.items = phase.items.map((item) => atNewPrice(item, terms));
  return named.length;
}

/** A price that a phase states stays stated: without one it would continue the negotiated price of the present item. */
function atNewPrice(item: PhaseItem, { from, to, keepNegotiatedPrices }: MoveTerms): PhaseItem {
  if (item.priceId !== from.id) return item;
  const { quantity, name, unitPrice, discountPercentage } = item;
  const isKept = keepNegotiatedPrices && unitPrice !== from.unitPrice;
  return {
    priceId: to.id,
    quantity,
    ...(unitPrice !== undefined && { unitPrice: isKept ? unitPrice : to.unitPrice }),
    ...(keepNegotiatedPrices && discountPercentage !== undefined && { discountPercentage }),
    ...(name !== undefined && { name }),
  };
}
