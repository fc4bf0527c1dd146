import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { updateAlertRule } from '#domain/metering/commands/alert-rules/update-alert-rule.ts';
import { updateAlert } from '#domain/metering/commands/alerts/update-alert.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { anAlert, crossingsOf } from '../../../support/alerts.ts';
import { testAlone } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const whole = { pages: 10, pageSize: 100 };
/** One customer for each rule. */
const one = { pages: 1, pageSize: 1 };

async function apply({ em, now }: Session, most = whole) {
  const failed: string[] = [];
  const note = (_error: unknown, { id }: { readonly id: string }) => void failed.push(id);
  const applied = await applyAlertRules(em.fork(), now, 'apply-alert-rules', note, most);
  return { applied, failed };
}

const aRule = (session: Session, alertRule: object = {}) =>
  createAlertRule(fresh(session), { alertRule: { kind: 'spend', threshold: '100', ...alertRule } });

const ruleOf = (session: Session, id: string) => fresh(session).em.findOneOrFail(AlertRule, id);

const countOf = (session: Session, rule: string) => fresh(session).em.count(Alert, { rule });

const aUser = (session: Session) => aMeteredSubscription(session, { usageEventsPerUnit: 1 });

const set = (session: Session, id: string, column: string, instant: string) =>
  fresh(session).em.execute(`update alert_rule set ${column} = ${instant} where id = ?`, [id]);

const past = `clock_timestamp() - interval '1 second'`;

describe('the pass of an alert rule', () => {
  test('takes turns with other rules, continues after each page, and ends at once when the rule is stopped', async ({
    session,
  }) => {
    for (let users = 0; users < 3; users++) await aUser(session);
    const [stopped, other] = [await aRule(session), await aRule(session)];
    const counts = async () => [
      await countOf(session, stopped.id),
      await countOf(session, other.id),
    ];
    expect(await apply(session, one)).toMatchObject({ applied: 2 });
    expect(await counts()).toEqual([1, 1]);
    await apply(session, one);
    expect(await counts()).toEqual([2, 2]);
    await updateAlertRule(fresh(session), { id: stopped.id, alertRule: { active: false } });
    expect(await ruleOf(session, stopped.id)).toMatchObject({ cursor: null, passBeganAt: null });
    // The two alerts of the stopped rule stop; the other rule gets its third one.
    expect(await apply(session, { pages: 10, pageSize: 1 })).toMatchObject({ applied: 3 });
    expect(await counts()).toEqual([2, 3]);
    const alerts = await fresh(session).em.find(Alert, { rule: stopped.id });
    expect(alerts.map(({ active }) => active)).toEqual([false, false]);
    expect((await ruleOf(session, stopped.id)).appliedAt).not.toBeNull();
  });

  test('belongs to one process until its lease ends, and other rules continue', async ({
    session,
  }) => {
    await aUser(session);
    const [leased, other] = [await aRule(session), await aRule(session)];
    await set(session, leased.id, 'lease_until', `clock_timestamp() + interval '1 minute'`);
    await apply(session);
    expect(await countOf(session, leased.id)).toBe(0);
    expect(await countOf(session, other.id)).toBe(1);
    await set(session, leased.id, 'lease_until', past);
    await apply(session);
    expect(await countOf(session, leased.id)).toBe(1);
    expect(await ruleOf(session, leased.id)).toMatchObject({ leaseUntil: null, cursor: null });
  });

  test('is the last one only if it began after the rule was settled', async ({ session }) => {
    await aUser(session);
    await aUser(session);
    const { id } = await aRule(session);
    await apply(session, one);
    // The time of settling passes while the pass is in progress.
    await set(session, id, 'settles_at', `pass_began_at + interval '1 millisecond'`);
    await apply(session);
    const rule = await ruleOf(session, id);
    expect(rule.appliedAt).not.toBeNull();
    expect(rule.settlesAt).not.toBeNull();
    await apply(session);
    expect((await ruleOf(session, id)).settlesAt).toBeNull();
  });

  test('leaves a customer that fails to later passes, with growing pauses', async ({ session }) => {
    const { em } = fresh(session);
    const [failing, other] = [await aUser(session), await aUser(session)];
    const { id } = await aRule(session);
    const failed = [failing.customerId];
    const constraint = 'alert_refused_in_test';
    await em.execute(
      `alter table alert add constraint ${constraint} check (customer_id <> '${failing.customerId}') not valid`,
    );
    expect(await apply(session, { pages: 10, pageSize: 1 })).toEqual({ applied: 1, failed });
    expect(await fresh(session).em.find(Alert, { rule: id })).toMatchObject([
      { customerId: other.customerId },
    ]);
    const pauseOf = async () => {
      const { retryAt, appliedAt, failedCustomers } = await ruleOf(session, id);
      expect(failedCustomers).toBe(1);
      expect(appliedAt).not.toBeNull();
      return Number(retryAt) - Number(await presentOf(em));
    };
    const first = await pauseOf();
    expect(first).toBeGreaterThan(0);
    expect(await apply(session)).toEqual({ applied: 0, failed: [] });
    await set(session, id, 'retry_at', past);
    expect(await apply(session)).toEqual({ applied: 0, failed });
    expect(await pauseOf()).toBeGreaterThan(first + 10_000);
    expect(await ruleOf(session, id)).toMatchObject({ failedPasses: 2 });
    await em.execute(`alter table alert drop constraint ${constraint}`);
    await set(session, id, 'retry_at', past);
    expect(await apply(session)).toEqual({ applied: 1, failed: [] });
    const rule = await ruleOf(session, id);
    expect(rule).toMatchObject({ failedPasses: 0, retryAt: null, failedCustomers: 0 });
    // A change counts anew.
    await updateAlertRule(fresh(session), { id, alertRule: { threshold: '90' } });
    expect(await ruleOf(session, id)).toMatchObject({ failedCustomers: 0, appliedAt: null });
  });
});

describe('a repeated change', () => {
  test('of a rule with the terms that it has rolls out nothing', async ({ session }) => {
    const { slug } = await aUser(session);
    const terms = { kind: 'usage', usageMeterSlug: slug, percentages: [50, 80], name: 'Cap' };
    const { id } = await aRule(session, terms);
    await apply(session);
    const { revision, version, appliedAt } = await ruleOf(session, id);
    expect(appliedAt).not.toBeNull();
    const change = (alertRule: object) => updateAlertRule(fresh(session), { id, alertRule });
    await change({ threshold: '100', percentages: [50, 80], name: 'Cap', active: true });
    await change({ threshold: '100.0', hardLimit: false });
    expect(await ruleOf(session, id)).toMatchObject({ revision, version, appliedAt });
    await change({ threshold: '100.5' });
    expect(await ruleOf(session, id)).toMatchObject({ revision: revision + 1, appliedAt: null });
  });

  test('of an alert to the same number triggers nothing again', async ({ session }) => {
    const user = await aUser(session);
    const alert = await anAlert(session, user, 'usage', 100);
    await use(session, user, 100);
    const change = (threshold: string) =>
      updateAlert(fresh(session), { id: alert.id, alert: { threshold } });
    await change('100.0');
    expect(await crossingsOf(session, alert)).toEqual(['100 of 100']);
    await change('90');
    expect(await crossingsOf(session, alert)).toEqual(['100 of 100 ended', '100 of 90']);
  });
});
