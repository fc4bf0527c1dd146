import { createHash } from 'node:crypto';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses between attempts; the first attempt is immediate. */
export const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

/** The longest pause that an endpoint may request. */
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

/** A number from 0 to 1, evenly distributed over texts and constant for each. */
const chance = (text: string) =>
  createHash('sha256').update(text).digest().readUInt32BE() / 0xffff_ffff;
