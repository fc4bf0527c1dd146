import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import {
  alertFields,
  alertName,
  changedThreshold,
  termsProblem,
} from '#domain/metering/alerts/alert-input.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';

export const updateAlertRuleInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    alertRule: z.object({
      ...changesTo({ id: z.string(), ...alertFields, active: z.boolean() }),
      name: alertName,
    }),
  })
  .refine(...sameId('alertRule'));

/**
 * Changes the thresholds, the name or the limit of a rule; `active: false` stops it. A job applies that to the alerts of
 * all customers; terms that it has already start no job. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have.
 */
export function updateAlertRule(
  session: Session,
  { id, alertRule: changes, expectedVersion }: z.output<typeof updateAlertRuleInput>,
): Promise<AlertRule> {
  return command(session, async (session) => {
    const { em, now } = session;
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const rule = await em.findOneOrFail(AlertRule, id, lock);
    expectVersion(rule, expectedVersion);
    const before = termsOf(rule);
    const { hardLimit, active, name, percentages } = changes;
    const threshold = changedThreshold(rule.threshold, changes.threshold);
    patch(rule, { threshold, hardLimit, active, percentages });
    if (name !== undefined) rule.name = name;
    const problem = termsProblem(rule, 'alertRule');
    if (problem) throw problem;
    if (!isDeepStrictEqual(termsOf(rule), before)) rule.change(now);
    await em.flush();
    return rule;
  });
}

/** The terms that its alerts have from it. */
const termsOf = ({ threshold, hardLimit, active, name, percentages }: AlertRule) => ({
  ...{ threshold, hardLimit, active, percentages },
  name: name ?? null,
});
