import { DomainError, invalidInput } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import {
  isSuspicious,
  uncountable,
  uncountableUsage,
} from '#domain/metering/ledger/largest-usage.ts';
import type { Ledger } from '#domain/metering/ledger/ledger.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import type { Call, Row } from './usage-call.ts';

/** Refuses a transaction id that another subscription has used: it cannot be a repeat. */
export function refuseOthers(
  rows: readonly Row[],
  first: ReadonlyMap<string, UsageEvent>,
  calls: readonly Call[],
) {
  const issues = rows.flatMap(({ event, call, index }) => {
    const known = first.get(event.id);
    if (known?.subscriptionId === event.subscriptionId) return [];
    const path = [...(calls[call]?.pathOf(index) ?? []), 'transactionId'];
    const message = known
      ? 'is the transaction id of usage of another subscription on this meter'
      : 'is the transaction id of archived usage on this meter';
    return [{ code: 'TAKEN' as const, path, message }];
  });
  if (issues.length > 0) throw new DomainError('BAD_REQUEST', invalidInput, { issues });
}

/** The events of totals that are so large that all usage of their subscriptions has to be summed. */
export const dearEvents = (
  ledgers: ReadonlyMap<string, Ledger>,
  rows: readonly Row[],
): readonly Row[] =>
  rows.filter(({ kind, resolved }) => {
    const total = ledgers.get(kind.ledgerKey)?.totals.get(kind.totalKey);
    return total && isSuspicious(total, resolved.rate);
  });

/** Refuses usage that exceeds the room of one invoice, since it could never be billed. */
export async function refuseUncountable(
  session: Session,
  dear: readonly Row[],
  calls: readonly Call[],
) {
  const ids = new Set(dear.map(({ event }) => event.subscriptionId));
  const beyond = await uncountable(session, [...ids]);
  const row = dear.findLast(({ event }) => beyond.has(event.subscriptionId));
  if (!row) return;
  const path = [...(calls[row.call]?.pathOf(row.index) ?? []), 'amount'];
  const issues = [{ code: 'OUT_OF_RANGE' as const, path, message: uncountableUsage }];
  throw new DomainError('BAD_REQUEST', invalidInput, { issues });
}
