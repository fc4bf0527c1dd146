import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { alertFields, alertName } from '#domain/metering/alerts/alert-input.ts';
import { setAlertTerms } from '#domain/metering/alerts/set-alert-terms.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { changeAlert } from '#domain/recording/present/change-alert.ts';

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
 * as a removed percentage ends its own, and triggers at once if a value has reached it. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have, and
 * for an alert of a rule.
 */
export async function updateAlert(
  session: Session,
  { id, alert: changes, expectedVersion }: Input,
): Promise<Alert> {
  const { customerId, subscriptionId } = await session.em.findOneOrFail(Alert, id);
  return changeAlert(session, { customerId, subscriptionId }, async (session) => {
    const alert = await session.em.findOneOrFail(Alert, id, { refresh: true });
    expectVersion(alert, expectedVersion);
    if (alert.ruleId)
      throw invalid('INVALID_STATE', 'id', `${id} follows ${alert.ruleId}: change that rule`);
    await setAlertTerms(session, alert, changes);
    return alert;
  });
}
