import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createAlertInput } from '#domain/metering/commands/alerts/create-alert.ts';
import { updateAlert } from '#domain/metering/commands/alerts/update-alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { anAlert, crossingsOf } from '../../../support/alerts.ts';
import { effort } from '../../../support/effort.ts';
import { seeded } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { advance, eventsOf, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../../support/usage.ts';

describe('an alert with several thresholds', () => {
  test('triggers once for each of them, also when one recording reaches several', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const alert = await anAlert(session, user, 'usage', 100, { percentages: [50, 80, 150] });
    await use(session, user, 49);
    expect(await crossingsOf(session, alert)).toEqual([]);
    await use(session, user, 1);
    await use(session, user, 20);
    expect(await crossingsOf(session, alert)).toEqual(['50 of 50']);
    const [event] = await use(session, user, 31);
    expect(await crossingsOf(session, alert)).toEqual(['50 of 50', '101 of 80', '101 of 100']);
    await voidEvent(session, event?.id ?? '');
    await use(session, user, 10);
    expect(await crossingsOf(session, alert)).toEqual([
      '50 of 50',
      '101 of 80 ended',
      '101 of 100 ended',
      '80 of 80',
    ]);
    const [first] = await fresh(session).em.find(AlertCrossing, {
      alert: alert.id,
      percentage: 50,
    });
    const events = await eventsOf(session, first?.id ?? '');
    expect(events).toMatchObject([
      { type: 'alert.triggered', data: { percentage: 50, threshold: 50, value: 50 } },
    ]);
    await advance(session, user.clockId, '2026-03-01');
    await use(session, user, 50);
    expect(await crossingsOf(session, alert)).toHaveLength(5);
  });

  test('warns before credits have fallen to the last one', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    await grant(session, user, 100);
    const alert = await anAlert(session, user, 'credits', 10, { percentages: [200, 500] });
    await use(session, user, 50);
    await use(session, user, 31);
    await use(session, user, 9);
    expect(await crossingsOf(session, alert)).toEqual(['50 of 50', '19 of 20', '10 of 10']);
  });

  test('ends the crossings of a removed one, and compares an added one at once', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const { id } = await anAlert(session, user, 'usage', 100, { percentages: [50] });
    await use(session, user, 75);
    const change = (alert: object) => updateAlert(fresh(session), { id, alert });
    await change({ percentages: [60, 70, 90] });
    expect(await crossingsOf(session, { id })).toEqual(['75 of 50 ended', '75 of 60', '75 of 70']);
    await change({ name: 'Usage' });
    expect(await crossingsOf(session, { id })).toHaveLength(3);
    await change({ threshold: '200' });
    expect((await crossingsOf(session, { id })).filter((one) => !one.endsWith('ended'))).toEqual(
      [],
    );
  });

  test('refuses percentages that repeat, or that state the threshold itself', async ({
    session,
  }) => {
    const alert = {
      kind: 'usage',
      threshold: '100',
      subscriptionId: 'sub',
      usageMeterSlug: 'calls',
    };
    for (const percentages of [[50, 50], [100], [0], [1_001], Array(11).fill(1)]) {
      const { error } = createAlertInput.safeParse({ alert: { ...alert, percentages } });
      expect(error?.issues[0]?.path.slice(0, 2)).toEqual(['alert', 'percentages']);
    }
    const user = await aMeteredSubscription(session);
    await expect(anAlert(session, user, 'credits', 0, { percentages: [50] })).rejects.toMatchObject(
      {
        code: 'BAD_REQUEST',
        issues: [{ path: ['alert', 'percentages'] }],
      },
    );
  });

  test('has the crossings of as many alerts with one threshold', async ({ database }) => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('use' as const), amount: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ do: fc.constant('void' as const), amount: fc.nat(10) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 10 }),
        fc.uniqueArray(
          fc.integer({ min: 1, max: 300 }).filter((one) => one !== 100),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        async (steps, percentages) => {
          const { session } = await aTenant(database.orm.em);
          const user = await aMeteredSubscription(session);
          const one = await anAlert(session, user, 'usage', 100, { percentages });
          const several = [];
          for (const percentage of [...percentages, 100]) {
            several.push(await anAlert(session, user, 'usage', percentage));
          }
          const recorded: string[] = [];
          for (const step of steps) {
            if (step.do === 'use')
              recorded.push((await use(session, user, step.amount))[0]?.id ?? '');
            const [id] = step.do === 'void' ? recorded.splice(step.amount, 1) : [];
            if (id) await voidEvent(session, id);
          }
          const expected = await Promise.all(several.map((alert) => crossingsOf(session, alert)));
          expect((await crossingsOf(session, one)).toSorted()).toEqual(expected.flat().toSorted());
        },
      ),
      seeded('thresholds.test.ts', { numRuns: 3 * effort }),
    );
  });
});
