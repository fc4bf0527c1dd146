import type { EntityManager } from '@mikro-orm/postgresql';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { refusalIn } from '../source/refusal.ts';
import type { Report } from '../source/report.ts';
import type { SourceSubscription } from '../source/source.ts';
import { type Checked, phasesOf } from './check-subscriptions.ts';
import type { Open } from './import-catalog.ts';
import { twoAtATime } from './in-parts.ts';
import { takeOver } from './take-over.ts';

interface Place {
  readonly em: EntityManager;
  readonly open: Open;
  readonly report: Report;
}

/**
 * Imports subscriptions of customers that are here. Periods before `paidUntil` are paid elsewhere, so nothing is charged
 * that the other system has charged.
 */
export async function importSubscriptions(
  { em, open, report }: Place,
  subscriptions: readonly Checked[],
) {
  const outcomes = await twoAtATime(
    em,
    subscriptions.map((checked) => ({
      key: checked.one.customerExternalId,
      open,
      work: (session: Session) => command(session, (session) => subscribeFound(session, checked)),
    })),
  );
  for (const [n, outcome] of outcomes.entries()) {
    const { one } = subscriptions[n] as Checked;
    if (outcome?.status === 'fulfilled') tellAdded(report, [one]);
    else report.leaveOut(`subscription ${one.externalId}`, refusalIn(outcome?.reason));
  }
}

async function subscribeFound(session: Session, checked: Checked): Promise<void> {
  const externalId = checked.one.customerExternalId;
  const locked = await lockCustomer(session, { externalId, archived: false });
  if (!locked) throw invalid('NOT_FOUND', 'customerExternalId', `Unknown customer ${externalId}`);
  await takeOver(locked.session, locked.customer, checked);
}

/** Tells the report of imported subscriptions. */
export function tellAdded(report: Report, added: readonly SourceSubscription[]) {
  report.create('subscription', added.length);
  report.create(
    'phase',
    added.reduce((sum, one) => sum + phasesOf(one).length, 0),
  );
}
