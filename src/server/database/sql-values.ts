import { mostListed } from '#domain/capacity/claim-input.ts';
import { moveLock } from '#domain/kernel/absent-organizations.ts';
import { idLength } from '#domain/kernel/ids.ts';
import { payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { lastFirst, longestUsageText, mostUsageValues } from '#domain/model/metering/usage-part.ts';
import { openRunStatuses } from '#domain/model/money/billing-run.ts';
import { answersKeptHours } from '#domain/model/platform/idempotency-key.ts';
import {
  payingStatuses,
  terminalStatuses,
} from '#domain/model/subscriptions/subscription-statuses.ts';
import { mostNumberedFirst } from '#domain/platform/feed/sequence-events.ts';

/** Values that SQL functions share with TypeScript: `${name}` in a function file is replaced by the value. */
export const sqlValues: Readonly<Record<string, string>> = {
  answersKeptHours: String(answersKeptHours),
  idLength: String(idLength),
  lastFirst,
  largestInteger: String(Number.MAX_SAFE_INTEGER),
  longestUsageText: String(longestUsageText),
  mostListed: String(mostListed),
  mostNumberedFirst: String(mostNumberedFirst),
  moveLock: String(moveLock),
  mostUsageValues: String(mostUsageValues),
  openRunStatuses: listOf(openRunStatuses),
  payableStatuses: listOf(payableStatuses),
  payingStatuses: listOf(payingStatuses),
  terminalStatuses: listOf(terminalStatuses),
};

/** The right side of `in`. */
function listOf(names: readonly string[]) {
  return `(${names.map((name) => `'${name}'`).join(', ')})`;
}
