import { invalid } from '#domain/kernel/errors.ts';
import { expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';

interface Wanted {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/**
 * Runs a command on a pending charge under the lock of its subscription, which an invoice needs to bill it. Errors:
 * NOT_FOUND; BAD_REQUEST for another version, and for a charge that is billed.
 */
export async function lockPending<T>(
  session: Session,
  { id, expectedVersion }: Wanted,
  work: (locked: LockedSubscription, charge: OneOffCharge) => Promise<T>,
): Promise<T> {
  const { subscriptionId } = await session.em.findOneOrFail(OneOffCharge, id);
  return lockCaughtUp(session, subscriptionId, async (locked) => {
    const charge = await locked.session.em.findOneOrFail(OneOffCharge, id, { refresh: true });
    expectVersion(charge, expectedVersion);
    if (charge.status === 'pending') return work(locked, charge);
    throw invalid('INVALID_STATE', 'id', `${id} is billed by ${charge.invoiceId}`);
  });
}
