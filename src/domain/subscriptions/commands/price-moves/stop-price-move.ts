import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';

export const stopPriceMoveInput = z.object({ id: z.string() });

/**
 * Stops a move after the subscription that is being moved. Moved ones keep their new price, and scheduled changes stay
 * scheduled. A move that has ended is returned as it is. Errors: NOT_FOUND.
 */
export function stopPriceMove(
  session: Session,
  { id }: z.output<typeof stopPriceMoveInput>,
): Promise<PriceMove> {
  return command(session, async (session) => {
    const { em, now } = session;
    const move = await em.findOneOrFail(PriceMove, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    });
    move.finish('stopped', now);
    return move;
  });
}
