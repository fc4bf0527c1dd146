/**
 * Starts the same work several times, and waits until each has ended. So none of it still runs when the caller
 * tries again. Errors: the first failure.
 */
export async function inLanes(lanes: number, work: () => Promise<unknown>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: lanes }, work));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
