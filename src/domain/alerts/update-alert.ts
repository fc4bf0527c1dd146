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
 * Changes the threshold, the name or the limit of an alert; `active: false` stops it. A new threshold ends its crossings,
 * and triggers at once if a value has reached it. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have.
 */
export async function updateAlert(
  session: Session,
  { id, alert: changes, expectedVersion }: Input,
): Promise<Alert> {
  const { customerId, subscriptionId } = await session.em.findOneOrFail(Alert, id);
  return changeAlert(session, { customerId, subscriptionId }, async (session) => {
    const alert = await session.em.findOneOrFail(Alert, id, { refresh: true });
    expectVersion(alert, expectedVersion);
    const { threshold, hardLimit, active, name } = changes;
    const isNew = threshold != null && threshold !== alert.threshold;
    patch(alert, { threshold, hardLimit, active });
    if (name !== undefined) alert.name = name;
    const problem = termsProblem(alert);
    if (problem) throw problem;
    if (isNew || active === false) await endCrossings(session, alert);
    return alert;
  });
}

async function endCrossings({ em, now }: Session, alert: Alert) {
  await em.flush();
  for (const crossing of await em.find(AlertCrossing, { alert, endedAt: null })) {
    crossing.endedAt = now;
  }
  await em.flush();
}
