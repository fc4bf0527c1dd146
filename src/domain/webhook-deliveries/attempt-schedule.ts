import { createHash } from 'node:crypto';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after the attempt before it each further one is made; the first is made at once. */
export const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

/** Endpoints may ask for more patience, but not for being forgotten. */
const longestPause = 24 * hour;
const largestJitter = 0.1;

/**
 * When the attempt after `made` failed ones is due; undefined after the last one. The pause is at random up to 10 %
 * longer than planned, so that simultaneous failures are not retried together. It is at least as long as the endpoint
 * has requested.
 */
export function nextAttemptAt(
  deliveryId: string,
  made: number,
  now: Date,
  retryAfterMilliseconds = 0,
): Date | undefined {
  const pause = pauses[made - 1];
  if (pause === undefined) return undefined;
  const planned = pause * (1 + largestJitter * chance(`${deliveryId} ${made}`));
  const asked = Math.min(retryAfterMilliseconds, longestPause);
  return new Date(now.getTime() + Math.ceil(Math.max(planned, asked)));
}

/** From 0 to 1, spread evenly over texts and the same for the same one. */
const chance = (text: string) =>
  createHash('sha256').update(text).digest().readUInt32BE() / 0xffff_ffff;
