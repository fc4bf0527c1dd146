import { openRunStatuses } from '#domain/billing-runs/billing-run.ts';
import { answersKeptHours } from '#domain/idempotency/idempotency-key.ts';
import { payableStatuses } from '#domain/invoices/invoice.ts';
import { moveLock } from '#domain/kernel/absent-organizations.ts';
import { idLength } from '#domain/kernel/ids.ts';
import { mostListed } from '#domain/rules/capacity/claim-input.ts';
import { mostNumberedFirst } from '#domain/rules/feed/sequence-events.ts';
import { payingStatuses, terminalStatuses } from '#domain/subscriptions/subscription-statuses.ts';
import { lastFirst, longestUsageText, mostUsageValues } from '#domain/usage-balances/usage-part.ts';

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
