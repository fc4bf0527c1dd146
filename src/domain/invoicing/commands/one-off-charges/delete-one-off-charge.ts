import { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import type { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { lockPending } from './lock-pending.ts';

export const deleteOneOffChargeInput = z.object({ id: z.string() });

/** Deletes a pending charge, and returns it. Errors: NOT_FOUND; BAD_REQUEST for one that is billed. */
export const deleteOneOffCharge = (
  session: Session,
  wanted: z.output<typeof deleteOneOffChargeInput>,
): Promise<OneOffCharge> =>
  lockPending(session, wanted, async ({ session }, charge) => {
    session.em.remove(charge);
    await session.em.flush();
    return charge;
  });
