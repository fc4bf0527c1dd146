import type { EntityClass } from '@mikro-orm/core';
import { AlertCrossing } from '#domain/alerts/alert-crossing.ts';
import type { Session } from '#domain/kernel/session.ts';
import {
  settleAllUsage,
  settleUsage,
  settleUsageOfCustomers,
} from '#domain/rules/inbox/settle-usage.ts';
import { LedgerTransaction } from '#domain/usage-balances/ledger-transaction.ts';
import { UsageMeterBalance } from '#domain/usage-balances/usage-meter-balance.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';
import { UsageEvent } from '#domain/usage-events/usage-event.ts';

/** The records that show usage: accepted usage is counted before a list of them is read. */
const shows: ReadonlySet<unknown> = new Set([
  AlertCrossing,
  LedgerTransaction,
  UsageCredit,
  UsageEvent,
  UsageMeterBalance,
]);

/** Counts the accepted usage of the pricing model before a list that shows usage. */
export const settleForList = (session: Session, entity: EntityClass<object>): Promise<void> =>
  shows.has(entity) ? settleAllUsage(session) : Promise.resolve();

/** The same for the lists below some parents, which the column `by` names. */
export async function settleForParents(
  session: Session,
  entity: EntityClass<object>,
  by: string,
  parents: readonly string[],
): Promise<void> {
  if (!shows.has(entity)) return;
  if (by.startsWith('subscription')) await settleUsage(session, parents);
  else if (by.startsWith('customer')) await settleUsageOfCustomers(session, parents);
  else await settleAllUsage(session);
}
