import { z } from 'zod';
import { priceBySlug, retirementOf } from '#domain/catalog/retired-price.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { moveTimings } from '#domain/model/subscriptions/price-move.ts';

export const priceMoveInput = z.object({
  priceMove: z.object({
    fromPriceId: z.string(),
    toPriceId: z.string().nullish(),
    toPriceSlug: z.string().nullish(),
    timing: z.enum(moveTimings).nullish(),
    prorate: z.boolean().nullish(),
    keepNegotiatedPrices: z.boolean().nullish(),
  }),
});

export type PriceMoveInput = z.output<typeof priceMoveInput>;

/** The terms of a move, with their defaults. */
export interface MoveTerms {
  readonly from: Price;
  readonly to: Price;
  readonly timing: (typeof moveTimings)[number];
  readonly prorate: boolean;
  readonly keepNegotiatedPrices: boolean;
}

/**
 * Resolves the terms of a move. Errors: BAD_REQUEST for unknown or equal prices, and for a target that is not for sale.
 * BAD_REQUEST also for prices that are not subscription prices of one currency.
 */
export async function termsOfMove(
  session: Session,
  { priceMove: input }: PriceMoveInput,
): Promise<MoveTerms> {
  const { fromPriceId, toPriceId, toPriceSlug } = input;
  if ((toPriceId == null) === (toPriceSlug == null)) {
    throw invalid('INVALID', 'priceMove.toPriceId', 'give either toPriceId or toPriceSlug');
  }
  const from = await session.em.findOne(Price, fromPriceId);
  if (!from) throw invalid('NOT_FOUND', 'priceMove.fromPriceId', `Unknown price ${fromPriceId}`);
  const path = toPriceId != null ? 'priceMove.toPriceId' : 'priceMove.toPriceSlug';
  const to =
    toPriceId != null
      ? await session.em.findOne(Price, toPriceId)
      : await priceBySlug(session, toPriceSlug ?? '');
  if (!to) throw invalid('NOT_FOUND', path, `Unknown price ${toPriceId ?? toPriceSlug}`);
  await requireTarget(session, from, to, path);
  return {
    from,
    to,
    timing: input.timing ?? 'at_end_of_current_billing_period',
    prorate: input.prorate ?? true,
    keepNegotiatedPrices: input.keepNegotiatedPrices ?? true,
  };
}

async function requireTarget(session: Session, from: Price, to: Price, path: string) {
  if (from.type !== 'subscription') {
    const why = `${from.id} is a ${from.type} price: only subscription prices have subscribers`;
    throw invalid('INVALID', 'priceMove.fromPriceId', why);
  }
  if (to.id === from.id) throw invalid('INVALID', path, 'must differ from fromPriceId');
  if (to.type !== 'subscription') {
    throw invalid('INVALID', path, `${to.id} is a ${to.type} price: use a subscription price`);
  }
  if (!to.active) throw invalid('ARCHIVED', path, `${to.id} ${await retirementOf(session, to)}`);
  const product = await to.product?.loadOrFail();
  if (!product?.active) {
    throw invalid('ARCHIVED', path, `${to.id} is of a product that is not active`);
  }
  if (from.unitPrice > 0 && to.unitPrice > 0 && from.currency !== to.currency) {
    throw invalid(
      'MISMATCH',
      path,
      `${to.id} is in ${to.currency}, and ${from.id} in ${from.currency}`,
    );
  }
}
