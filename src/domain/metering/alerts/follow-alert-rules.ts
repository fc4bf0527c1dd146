import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { setAlertTerms } from './set-alert-terms.ts';

/**
 * Part of a transaction: gives a locked customer an alert for each active rule that has none for it yet. The customer begins
 * its only current subscription. Returns whether it has got any.
 */
export async function followAlertRules(session: Session, customerId: string): Promise<boolean> {
  const { em } = session;
  const rules = await em.find(AlertRule, { active: true }, { orderBy: oldestFirst });
  if (rules.length === 0) return false;
  const own = await em.find(Alert, { customer: customerId, rule: { $ne: null } });
  const missing = rules.filter((rule) => !own.some(({ ruleId }) => ruleId === rule.id));
  for (const rule of missing) createAlertOf(session, rule, customerId);
  await em.flush();
  return missing.length > 0;
}

/**
 * Gives the alert of a locked customer the present terms of a rule; an active rule creates it first. Returns null where
 * nothing changes.
 */
export async function followAlertRule(
  session: Session,
  rule: AlertRule,
  customer: string,
): Promise<Alert | null> {
  const alert = await session.em.findOne(Alert, { customer, rule: rule.id }, { refresh: true });
  if (!alert) return rule.active ? createAlertOf(session, rule, customer) : null;
  if (alert.ruleRevision === rule.revision) return null;
  const { threshold, hardLimit, active, name = null, percentages, revision } = rule;
  await setAlertTerms(session, alert, { threshold, hardLimit, active, name, percentages });
  alert.ruleRevision = revision;
  return alert;
}

function createAlertOf({ em }: Session, rule: AlertRule, customer: string): Alert {
  const { kind, threshold, percentages, usageMeter, hardLimit, name = null, revision } = rule;
  return em.create(Alert, {
    ...{ kind, threshold, percentages, hardLimit, name, customer, rule },
    usageMeter: usageMeter ?? null,
    subscription: null,
    ruleRevision: revision,
  });
}
