import { z } from 'zod';
import { expectedVersionInput, expectVersion } from '#domain/kernel/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs.ts';
import { patch } from '#domain/kernel/patch.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Alert } from './alert.ts';
import { AlertCrossing } from './alert-crossing.ts';
import { alertFields, alertName, termsProblem } from './alert-input.ts';
import { changeAlert } from './change-alert.ts';

export const updateAlertInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    alert: z.object({
      ...changesTo({ id: z.string(), ...alertFields, active: z.boolean() }),
      name: alertName,
    }),
  })
  .refine(...sameId('alert'));

type Input = z.output<typeof updateAlertInput>;

/**
 * Changes the thresholds, the name or the limit of an alert; `active: false` stops it. A new threshold ends its crossings,
 * as a removed percentage ends its own, and triggers at once if a value has reached it. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have.
 */
export async function updateAlert(
  session: Session,
  { id, alert: changes, expectedVersion }: Input,
): Promise<Alert> {
  const { customerId, subscriptionId } = await session.em.findOneOrFail(Alert, id);
  return changeAlert(session, { customerId, subscriptionId }, async (session) => {
    const alert = await session.em.findOneOrFail(Alert, id, { refresh: true });
    expectVersion(alert, expectedVersion);
    const { threshold, hardLimit, active, name, percentages } = changes;
    const isNew = threshold != null && threshold !== alert.threshold;
    patch(alert, { threshold, hardLimit, active, percentages });
    if (name !== undefined) alert.name = name;
    const problem = termsProblem(alert);
    if (problem) throw problem;
    const kept = isNew || active === false ? [] : alert.levels;
    if (isNew || active === false || percentages) await endCrossings(session, alert, kept);
    return alert;
  });
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
