import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';
import { type PriceMoveInput, termsOfMove } from '#domain/subscriptions/adjusting/move-terms.ts';
import {
  countPhases,
  countSubscribers,
} from '#domain/subscriptions/adjusting/subscribers-of-price.ts';

/**
 * Begins to move all subscribers of a price to another one; a job adjusts one subscription after the other. Errors:
 * BAD_REQUEST for prices that cannot be moved between, and while another move from the price is running.
 */
export function createPriceMove(session: Session, input: PriceMoveInput): Promise<PriceMove> {
  return command(
    session,
    async (session) => {
      const { from, to, ...terms } = await termsOfMove(session, input);
      const { subscriptions } = await countSubscribers(session, from.id);
      const planned = await countPhases(session, from.id);
      const move = session.em.create(PriceMove, {
        ...terms,
        fromPrice: from,
        toPrice: to,
        subscriptionCount: subscriptions + planned.subscriptions,
      });
      await session.em.flush();
      return move;
    },
    {
      price_move_running_unique: [
        'IN_PROGRESS',
        'priceMove.fromPriceId',
        'is being moved from already: wait for that move, or stop it',
      ],
    },
  );
}
