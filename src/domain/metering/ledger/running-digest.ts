import { hash } from 'node:crypto';
import { decimalText, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { EventsDigest } from '#domain/model/invoicing/usage-breakdown.ts';
import type { EventPlace, StoredDigest } from '#domain/model/metering/usage-total.ts';

/** An event as digests see it. */
export interface DigestedEvent {
  readonly id: string;
  /** An exact decimal. */
  readonly amount: string;
  readonly createdAt: Date;
}

/** A digest of a set of events that does not depend on their order, so that events are added and removed. */
export interface RunningDigest {
  readonly version: number;
  count: number;
  sum: Units;
  /** The sum of the SHA-256 digests modulo 2^256: words of 16 bits, the highest first, before their carries. */
  readonly words: Float64Array;
  first: EventPlace | null;
  last: EventPlace | null;
  /** The first and the last recording in milliseconds, also of events that have been removed. */
  recordedFrom: number | null;
  recordedUntil: number | null;
}

const wordCount = 16;
const wordValues = 2 ** 16;
/** Most amounts are written as they are kept. */
const wholeNumber = /^[1-9]\d*$/;
const wordBytes = 2;

export const emptyDigest = (): RunningDigest => ({
  version: 0,
  count: 0,
  sum: 0n,
  words: new Float64Array(wordCount),
  first: null,
  last: null,
  recordedFrom: null,
  recordedUntil: null,
});

/** Adds an event that is recorded at an instant, in milliseconds by the clock of the database. */
export function addEvent(digest: RunningDigest, event: DigestedEvent, recordedAt: number) {
  change(digest, event, 1);
  const place = { id: event.id, createdAt: event.createdAt.getTime() };
  if (!digest.first || isBefore(place, digest.first)) digest.first = place;
  if (!digest.last || isBefore(digest.last, place)) digest.last = place;
  if (recordedAt < (digest.recordedFrom ?? Infinity)) digest.recordedFrom = recordedAt;
  if (recordedAt > (digest.recordedUntil ?? -Infinity)) digest.recordedUntil = recordedAt;
}

/** Removes an event. If it was the first or the last one, the caller sets the next one. */
export const removeEvent = (digest: RunningDigest, event: DigestedEvent) =>
  change(digest, event, -1);

function change(digest: RunningDigest, { id, amount }: DigestedEvent, by: 1 | -1) {
  const units = unitsOf(amount);
  digest.count += by;
  digest.sum += by === 1 ? units : -units;
  // As a text of bytes: a buffer for each event takes twice as long.
  const text = wholeNumber.test(amount) ? amount : decimalText(units);
  const bytes = hash('sha256', `${id} ${text}`, 'binary');
  const { words } = digest;
  for (let word = 0; word < wordCount; word++) {
    const value = (bytes.charCodeAt(2 * word) << 8) | bytes.charCodeAt(2 * word + 1);
    words[word] = (words[word] as number) + by * value;
  }
}

/** Whether a place is before another one. */
export const isBefore = (one: EventPlace, other: EventPlace) =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** The sum of the SHA-256 digests, in hex. */
export function sumOfSha256(words: Float64Array): string {
  const bytes = Buffer.allocUnsafe(wordBytes * wordCount);
  let carry = 0;
  for (let word = wordCount - 1; word >= 0; word--) {
    const value = (words[word] as number) + carry;
    carry = Math.floor(value / wordValues);
    bytes.writeUInt16BE(value - carry * wordValues, wordBytes * word);
  }
  return bytes.toString('hex');
}

function wordsOf(hex: string): Float64Array {
  const bytes = Buffer.from(hex, 'hex');
  const words = new Float64Array(wordCount);
  for (let word = 0; word < wordCount; word++) words[word] = bytes.readUInt16BE(wordBytes * word);
  return words;
}

/** The digest as the next version of a total stores it. */
export function storedDigest({ version, sum, words, ...digest }: RunningDigest): StoredDigest {
  return {
    ...digest,
    version: version + 1,
    sum: decimalText(sum),
    sumOfSha256: sumOfSha256(words),
  };
}

/** A stored digest, to which events are added. */
export function runningDigest({ sum, sumOfSha256, ...digest }: StoredDigest): RunningDigest {
  return { ...digest, sum: unitsOf(sum), words: wordsOf(sumOfSha256) };
}

/** The digest as the line of an invoice stores it. */
export const eventsDigest = (digest: RunningDigest) =>
  ({
    count: digest.count,
    firstId: digest.first?.id ?? null,
    lastId: digest.last?.id ?? null,
    sum: decimalText(digest.sum),
    sumOfSha256: sumOfSha256(digest.words),
    recordedFrom: instantText(digest.recordedFrom),
    recordedUntil: instantText(digest.recordedUntil),
  }) satisfies EventsDigest;

/** An instant in UTC, as a timestamp without a zone. */
const instantText = (at: number | null) =>
  at === null ? null : new Date(at).toISOString().slice(0, -1);
