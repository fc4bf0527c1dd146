import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { alertFields, alertName, termsProblem } from '#domain/metering/alerts/alert-input.ts';
import { alertedMeter } from '#domain/metering/alerts/alerted-meter.ts';
import { alertKinds } from '#domain/model/metering/alert-kinds.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';

const idInput = z.string().nullish();

export const createAlertRuleInput = z.object({
  alertRule: z
    .object({
      kind: z.enum(alertKinds),
      threshold: alertFields.threshold,
      usageMeterId: idInput,
      usageMeterSlug: idInput,
      hardLimit: alertFields.hardLimit.nullish(),
      percentages: alertFields.percentages.nullish(),
      name: alertName,
    })
    .refine(
      ({ usageMeterId, usageMeterSlug }) => usageMeterId == null || usageMeterSlug == null,
      coded('INVALID', 'usageMeterId', 'give either usageMeterId or usageMeterSlug'),
    )
    .refine(
      ({ kind, usageMeterId, usageMeterSlug }) =>
        kind === 'spend' || usageMeterId != null || usageMeterSlug != null,
      coded('REQUIRED', 'usageMeterId', 'is required unless the kind is spend'),
    ),
});

/**
 * Creates an alert for each customer of the pricing model, also for later ones. A job gives present subscribers their
 * alerts; a new subscription begins with them. Errors: BAD_REQUEST for an unknown meter, and for terms that the kind does
 * not have.
 */
export function createAlertRule(
  session: Session,
  { alertRule: input }: z.output<typeof createAlertRuleInput>,
): Promise<AlertRule> {
  return command(session, async (session) => {
    const { kind, threshold, hardLimit, percentages, name } = input;
    const terms = {
      kind,
      threshold,
      hardLimit: hardLimit ?? false,
      percentages: percentages ?? [],
    };
    const problem = termsProblem(terms, 'alertRule');
    if (problem) throw problem;
    const usageMeter = await alertedMeter(session, input, 'alertRule');
    const rule = session.em.create(AlertRule, {
      ...terms,
      usageMeter,
      name: name ?? null,
      appliedAt: null,
      settlesAt: null,
    });
    rule.settle(session.now);
    await session.em.flush();
    return rule;
  });
}
