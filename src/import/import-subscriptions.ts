import type { EntityManager } from '@mikro-orm/postgresql';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { cancelSubscription } from '#domain/subscriptions/cancel-subscription.ts';
import { subscribe } from '#domain/subscriptions/create-subscription.ts';
import { type Checked, phasesOf } from './check-subscriptions.ts';
import type { Open } from './import-catalog.ts';
import { inParts, twoAtATime } from './in-parts.ts';
import { refusalIn } from './refusal.ts';
import type { Report } from './report.ts';
import type { SourceSubscription } from './source.ts';

interface Place {
  readonly em: EntityManager;
  readonly open: Open;
  readonly report: Report;
}

/** A subscription that is imported, with its id here. */
export interface Added {
  readonly one: SourceSubscription;
  readonly id: string;
}

/**
 * Imports subscriptions of customers that are here. Periods before `paidUntil` are paid elsewhere, so nothing is charged
 * that the other system has charged.
 */
export async function importSubscriptions(place: Place, subscriptions: readonly Checked[]) {
  const { em, open, report } = place;
  await inParts(em, subscriptions, async (part) => {
    const outcomes = await twoAtATime(
      em,
      part.map(({ one, input }) => ({
        key: one.customerExternalId,
        open,
        work: (session: Session) =>
          command(session, async (session) => (await subscribe(session, input)).id),
      })),
    );
    const added: Added[] = [];
    for (const [n, outcome] of outcomes.entries()) {
      const { one } = part[n] as Checked;
      if (outcome?.status === 'fulfilled') added.push({ one, id: outcome.value });
      else report.leaveOut(`subscription ${one.externalId}`, refusalIn(outcome?.reason));
    }
    await tellAdded(place, added);
  });
}

/** Tells the report of imported subscriptions, and ends those with their period that end there so. */
export async function tellAdded({ em, open, report }: Place, added: readonly Added[]) {
  report.create('subscription', added.length);
  report.create('phase', phaseCount(added));
  const ending = added.filter(({ one }) => one.endsWithPeriod);
  const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
  const outcomes = await twoAtATime(
    em,
    ending.map(({ one, id }) => ({
      key: one.customerExternalId,
      open,
      work: async (session: Session) => {
        await cancelSubscription(session, { id, cancellation });
      },
    })),
  );
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome?.status === 'fulfilled') continue;
    const record = `subscription ${ending[n]?.one.externalId}`;
    const message = `does not end with its period: ${refusalIn(outcome?.reason)}`;
    report.problems.push({ record, message, isLeftOut: false });
  }
}

/** How many phases subscriptions have. */
export const phaseCount = (list: readonly Pick<Added, 'one'>[]) =>
  list.reduce((sum, { one }) => sum + phasesOf(one).length, 0);
