import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import type {
  PhaseItem,
  SubscriptionPhase,
} from '#domain/model/subscriptions/subscription-phase.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { plannedPhases } from './follow-phases.ts';
import type { MoveTerms } from './move-terms.ts';
import { refusalReason } from './refusal-reason.ts';
import { requireAmount, requireCountable } from './require-applicable.ts';
import { resolveItems } from './resolve-items.ts';

/**
 * Gives the items of planned phases of a locked subscription the new price of a move, as its present items get it. Returns
 * the number of phases with the old price. Errors: BAD_REQUEST for a phase that could not start at the new price.
 */
export async function movePhases(
  session: Session,
  subscription: Subscription,
  terms: MoveTerms,
): Promise<number> {
  const named = (await plannedPhases(session, subscription)).filter(({ items }) =>
    items.some(({ priceId }) => priceId === terms.from.id),
  );
  for (const phase of named) {
    phase.items = phase.items.map((item) => atNewPrice(item, terms));
    await requireStartable(session, subscription, phase);
  }
  return named.length;
}

/** Refuses items that the subscription cannot have. Errors: BAD_REQUEST that names the phase. */
async function requireStartable(
  session: Session,
  subscription: Subscription,
  { id, items }: SubscriptionPhase,
) {
  try {
    const all = await pricedItemsOf(session, subscription);
    const present = all.filter((item) => item.isActive(session.now) && isPlanItem(item));
    const newItems = await resolveItems(session, subscription, present, {
      timing: 'at_end_of_current_billing_period',
      newSubscriptionItems: items.map((item) => ({ ...item })),
    });
    requireAmount(present, newItems, 'items');
    await requireCountable(session, present, newItems);
  } catch (error) {
    if (!(error instanceof DomainError) || !error.issues[0]) throw error;
    const why = `the phase ${id} cannot start at the new price: ${refusalReason(error)}`;
    throw invalid(error.issues[0].code, 'id', why);
  }
}

/** A price that a phase states stays stated: without one it would continue the negotiated price of the present item. */
function atNewPrice(item: PhaseItem, { from, to, keepNegotiatedPrices }: MoveTerms): PhaseItem {
  if (item.priceId !== from.id) return item;
  const { quantity, name, unitPrice, discountPercentage } = item;
  const isKept = keepNegotiatedPrices && unitPrice !== from.unitPrice;
  const discount = keepNegotiatedPrices ? discountPercentage : null;
  return {
    priceId: to.id,
    quantity,
    ...(unitPrice !== undefined && { unitPrice: isKept ? unitPrice : to.unitPrice }),
    ...(discount !== undefined && { discountPercentage: discount }),
    ...(name !== undefined && { name }),
  };
}
