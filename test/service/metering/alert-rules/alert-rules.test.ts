import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { updateAlertRule } from '#domain/metering/commands/alert-rules/update-alert-rule.ts';
import { updateAlert } from '#domain/metering/commands/alerts/update-alert.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { crossingsOf } from '../../../support/alerts.ts';
import { allowSeveral, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { testAlone } from '../../../support/test.ts';
import { advance, eventsOf, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const apply = ({ em, now }: Session) =>
  applyAlertRules(em.fork(), now, 'apply-alert-rules', (error) => {
    throw error;
  });

/** A rule for the spend of a period, in minor units. */
const aRule = (session: Session, threshold: string, more: object = {}) =>
  createAlertRule(fresh(session), { alertRule: { kind: 'spend', threshold, ...more } });

const alertsOf = (session: Session, rule: string) =>
  fresh(session).em.find(Alert, { rule }, { orderBy: { position: 'asc' } });

const ruleOf = (session: Session, id: string) => fresh(session).em.findOneOrFail(AlertRule, id);

/** A subscription whose usage costs 2 minor units for each event. */
const aUser = (session: Session) => aMeteredSubscription(session, { usageEventsPerUnit: 1 });

describe('an alert rule', () => {
  test('gives each present and each later subscriber one alert, which triggers once in each period', async ({
    session,
  }) => {
    const present = [await aUser(session), await aUser(session)] as const;
    const [first, second] = present;
    await use(session, first, 60);
    const { id } = await aRule(session, '100', { percentages: [50] });
    expect(await ruleOf(session, id)).toMatchObject({ appliedAt: null });
    const later = await aUser(session);
    expect((await alertsOf(session, id)).map(({ customerId }) => customerId)).toEqual([
      later.customerId,
    ]);
    await Promise.all([apply(session), apply(session)]);
    expect(await apply(session)).toBe(0);
    expect((await ruleOf(session, id)).appliedAt).not.toBeNull();
    const alerts = await alertsOf(session, id);
    expect(alerts.map(({ customerId }) => customerId).toSorted()).toEqual(
      [first, second, later].map(({ customerId }) => customerId).toSorted(),
    );
    const crossings = async ({ customerId }: { customerId: string }) => {
      const alert = alerts.find((one) => one.customerId === customerId);
      return crossingsOf(session, { id: alert?.id ?? '' });
    };
    // The first has reached both thresholds before the rule, and the second reaches them now.
    expect(await crossings(first)).toEqual(['120 of 50', '120 of 100']);
    await Promise.all([
      use(session, second, 30),
      use(session, second, 30),
      use(session, later, 30),
    ]);
    expect(await crossings(second)).toHaveLength(2);
    expect(await crossings(later)).toEqual(['60 of 50']);
    await advance(session, later.clockId, '2026-03-01');
    await use(session, later, 50);
    expect(await crossings(later)).toEqual(['60 of 50', '100 of 50', '100 of 100']);
  });

  test('watches each subscription of a customer by itself', async ({ session }) => {
    await allowSeveral(session);
    const user = await aUser(session);
    const priceId = await aPriceOf(session, { unitPrice: 500 });
    const { id } = await aRule(session, '100');
    const other = await aSubscription(fresh(session), { customerId: user.customerId, priceId });
    // It watches the present subscription, too: the job does that.
    expect(await alertsOf(session, id)).toEqual([]);
    expect(await apply(session)).toBe(1);
    const [alert, ...more] = await alertsOf(session, id);
    expect(more).toEqual([]);
    await use(session, user, 50);
    await use(session, { ...user, id: other.id }, 60);
    const found = await fresh(session).em.find(AlertCrossing, { alert: alert?.id ?? '' });
    expect(found.map(({ subscriptionId, value }) => [subscriptionId, value])).toEqual([
      [user.id, '100'],
      [other.id, '120'],
    ]);
  });

  test('changes and stops its alerts, which nobody changes by themselves', async ({ session }) => {
    const users = [await aUser(session), await aUser(session)] as const;
    const { id } = await aRule(session, '100', { hardLimit: true });
    await apply(session);
    await use(session, users[0], 50);
    await expect(use(session, users[0], 1)).rejects.toMatchObject({
      issues: [{ code: 'LIMIT_EXCEEDED' }],
    });
    const [own] = await alertsOf(session, id);
    await expect(
      updateAlert(fresh(session), { id: own?.id ?? '', alert: { active: false } }),
    ).rejects.toMatchObject({ issues: [{ code: 'INVALID_STATE', path: ['id'] }] });
    await updateAlertRule(fresh(session), { id, alertRule: { threshold: '200', name: 'Cap' } });
    expect(await apply(session)).toBe(2);
    expect(await alertsOf(session, id)).toMatchObject([
      { threshold: '200', name: 'Cap', active: true },
      { threshold: '200', name: 'Cap', active: true },
    ]);
    await use(session, users[0], 40);
    await updateAlertRule(fresh(session), { id, alertRule: { active: false } });
    expect(await apply(session)).toBe(2);
    await use(session, users[0], 500);
    expect((await alertsOf(session, id)).map(({ active }) => active)).toEqual([false, false]);
    await aUser(session);
    expect(await alertsOf(session, id)).toHaveLength(2);
    await updateAlertRule(fresh(session), {
      id,
      alertRule: { active: true, hardLimit: false },
    });
    expect(await apply(session)).toBe(3);
    expect((await eventsOf(session, id)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['alert_rule.created', 'alert_rule.updated']),
    );
  });

  test('finds those who subscribed while it was created', async ({ session }) => {
    const user = await aUser(session);
    const { id } = await aRule(session, '100');
    await apply(session);
    // As if the subscription had begun before the rule was visible.
    await fresh(session).em.execute('delete from alert where rule_id = ?', [id]);
    await fresh(session).em.execute(
      `update alert_rule set settles_at = clock_timestamp() - interval '1 second' where id = ?`,
      [id],
    );
    await apply(session);
    expect(await alertsOf(session, id)).toMatchObject([{ customerId: user.customerId }]);
    expect(await ruleOf(session, id)).toMatchObject({ settlesAt: null });
  });

  test('is refused with the field for terms that its kind does not have', async ({ session }) => {
    const refused = (alertRule: object) =>
      createAlertRule(fresh(session), {
        alertRule: { kind: 'spend', threshold: '100', ...alertRule },
      }).then(
        () => null,
        ({ issues }) => issues[0].path.join('.'),
      );
    expect([
      await refused({ threshold: '0' }),
      await refused({ kind: 'credit_hours', usageMeterSlug: 'none', hardLimit: true }),
      await refused({ kind: 'usage', usageMeterSlug: 'none' }),
    ]).toEqual(['alertRule.threshold', 'alertRule.hardLimit', 'alertRule.usageMeterSlug']);
  });
});
