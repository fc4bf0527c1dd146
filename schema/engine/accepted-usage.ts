import type { EntityClass } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { LedgerTransaction } from '#domain/model/metering/ledger-transaction.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import {
  countAcceptedUsage,
  countAcceptedUsageOfCustomers,
  countAllAcceptedUsage,
} from '#domain/recording/inbox/count-accepted-usage.ts';

/** The records that show usage: accepted usage is counted before a list of them is read. */
const shows: ReadonlySet<unknown> = new Set([
  AlertCrossing,
  LedgerTransaction,
  UsageCredit,
  UsageEvent,
  UsageMeterBalance,
]);

/** Counts the accepted usage of the pricing model before a list that shows usage. */
export const countBeforeList = (session: Session, entity: EntityClass<object>): Promise<void> =>
  shows.has(entity) ? countAllAcceptedUsage(session) : Promise.resolve();

/** The same for the lists below some parents, which the column `by` names. */
export async function countBeforeLists(
  session: Session,
  entity: EntityClass<object>,
  by: string,
  parents: readonly string[],
): Promise<void> {
  if (!shows.has(entity)) return;
  if (by.startsWith('subscription')) await countAcceptedUsage(session, parents);
  else if (by.startsWith('customer')) await countAcceptedUsageOfCustomers(session, parents);
  else await countAllAcceptedUsage(session);
}
