import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import type { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { changedThreshold, termsProblem } from './alert-input.ts';

/** Changes of an alert; null and absent fields do not change, except the name. */
export interface AlertChanges {
  readonly threshold?: string | null | undefined;
  readonly percentages?: number[] | null | undefined;
  readonly hardLimit?: boolean | null | undefined;
  readonly active?: boolean | null | undefined;
  readonly name?: string | null | undefined;
}

/**
 * Changes the terms of an alert whose customer is locked. A new threshold ends its crossings, as a removed percentage ends
 * its own, and so does a stop. Errors: BAD_REQUEST for terms that the kind does not have.
 */
export async function setAlertTerms(session: Session, alert: Alert, changes: AlertChanges) {
  const { hardLimit, active, name, percentages } = changes;
  const threshold = changedThreshold(alert.threshold, changes.threshold);
  const isNew = threshold !== undefined;
  patch(alert, { threshold, hardLimit, active, percentages });
  if (name !== undefined) alert.name = name;
  const problem = termsProblem(alert);
  if (problem) throw problem;
  const kept = isNew || active === false ? [] : alert.levels;
  if (isNew || active === false || percentages) await endCrossings(session, alert, kept);
}

/** Ends the open crossings of an alert, except those of some percentages. */
async function endCrossings({ em, now }: Session, alert: Alert, kept: readonly number[]) {
  await em.flush();
  const open = { alert, endedAt: null, percentage: { $nin: [...kept] } };
  for (const crossing of await em.find(AlertCrossing, open)) {
    crossing.endedAt = now;
  }
  await em.flush();
}
