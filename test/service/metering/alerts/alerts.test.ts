// @module-tag long
import { describe, expect } from 'vitest';
import { nextComparison } from '#domain/metering/alerts/read-forecasts.ts';
import { updateAlert } from '#domain/metering/commands/alerts/update-alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { anAlert, anotherMeter, crossingsOf } from '../../../support/alerts.ts';
import { test } from '../../../support/test.ts';
import { advance, at, eventsOf, fresh, told } from '../../../support/timeline.ts';
import { aMeteredSubscription, grant, use, voidEvent } from '../../../support/usage.ts';

describe('an alert', () => {
  test('on usage triggers once when it is reached, and again after a void has brought the usage below', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const alert = await anAlert(session, user, 'usage', 100);
    await use(session, user, 60);
    expect(await crossingsOf(session, alert)).toEqual([]);
    const [event] = await use(session, user, 40);
    await use(session, user, 50);
    expect(await crossingsOf(session, alert)).toEqual(['100 of 100']);
    await voidEvent(session, event?.id ?? '');
    expect(await crossingsOf(session, alert)).toEqual(['100 of 100']);
    const [other] = await use(session, user, 20);
    await voidEvent(session, other?.id ?? '');
    expect(await crossingsOf(session, alert)).toEqual(['100 of 100']);
    const [third] = await use(session, user, 1);
    expect(third).toBeDefined();
  });

  test('shows its crossings as events at the time of the customer', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const alert = await anAlert(session, user, 'usage', 10);
    await advance(session, user.clockId, '2026-02-10');
    const [event] = await use(session, user, 12);
    await advance(session, user.clockId, '2026-02-11');
    await voidEvent(session, event?.id ?? '');
    await use(session, user, 30);
    const [first, second] = await fresh(session).em.find(
      AlertCrossing,
      { alert: alert.id },
      { orderBy: { position: 'asc' } },
    );
    expect([told(first?.createdAt), told(first?.endedAt), told(second?.createdAt)]).toEqual([
      '2026-02-10',
      '2026-02-11',
      '2026-02-11',
    ]);
    const events = await eventsOf(session, first?.id ?? '');
    expect(events.map(({ type, occurredAt }) => [type, told(occurredAt)])).toEqual([
      ['alert.triggered', '2026-02-10'],
      ['alert_crossing.ended', '2026-02-11'],
    ]);
    expect(events[0]?.data).toMatchObject({ alertId: alert.id, kind: 'usage', value: 12 });
  });

  test('ends in a recording that lowers the value, at the time of the customer', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { aggregationType: 'last' });
    const alert = await anAlert(session, user, 'usage', 10);
    await advance(session, user.clockId, '2026-02-10');
    await use(session, user, 12);
    await use(session, user, 8);
    const [crossing] = await fresh(session).em.find(AlertCrossing, { alert: alert.id });
    const events = await eventsOf(session, crossing?.id ?? '');
    expect(events.map(({ type, occurredAt }) => [type, told(occurredAt)])).toEqual([
      ['alert.triggered', '2026-02-10'],
      ['alert_crossing.ended', '2026-02-10'],
    ]);
  });

  test('compares each billing period by itself', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const alert = await anAlert(session, user, 'usage', 10);
    await use(session, user, 10);
    await advance(session, user.clockId, '2026-03-01');
    await use(session, user, 5);
    expect(await crossingsOf(session, alert)).toHaveLength(1);
    await use(session, user, 6);
    expect(await crossingsOf(session, alert)).toEqual(['10 of 10', '11 of 10']);
  });

  test('triggers at once when its threshold is already reached, or becomes so by a change', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 50);
    const alert = await anAlert(session, user, 'usage', 40);
    const other = await anAlert(session, user, 'usage', 60);
    expect(await crossingsOf(session, alert)).toEqual(['50 of 40']);
    expect(await crossingsOf(session, other)).toEqual([]);
    const change = (threshold: string, active?: boolean) =>
      updateAlert(fresh(session), { id: other.id, alert: { threshold, active } });
    await change('50');
    await change('45');
    await change('45', false);
    await use(session, user, 50);
    await change('45', true);
    expect(await crossingsOf(session, other)).toEqual([
      '50 of 50 ended',
      '50 of 45 ended',
      '100 of 45',
    ]);
  });

  test('on spend sums all meters beyond their credits', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 100, unitPrice: 2 });
    const other = await anotherMeter(session, user, 5);
    const alert = await anAlert(session, user, 'spend', 20);
    await use(session, user, 140);
    await use(session, other, 2);
    expect(await crossingsOf(session, alert)).toEqual([]);
    await use(session, user, 10);
    expect(await crossingsOf(session, alert)).toEqual(['20 of 20']);
    await grant(session, user, 10);
    expect(await crossingsOf(session, alert)).toEqual(['20 of 20 ended']);
  });

  test('on credits triggers when they fall to it, and again after others were granted', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 100 });
    const alert = await anAlert(session, user, 'credits', 20);
    await use(session, user, 79);
    expect(await crossingsOf(session, alert)).toEqual([]);
    await use(session, user, 1);
    await use(session, user, 50);
    expect(await crossingsOf(session, alert)).toEqual(['20 of 20']);
    await advance(session, user.clockId, '2026-03-01');
    expect(await crossingsOf(session, alert)).toEqual(['20 of 20 ended']);
    await grant(session, user, 5, { expiresAt: at('2026-03-05') });
    await use(session, user, 83);
    expect(await crossingsOf(session, alert)).toHaveLength(1);
    await advance(session, user.clockId, '2026-03-06');
    expect(await crossingsOf(session, alert)).toEqual(['20 of 20 ended']);
    await use(session, user, 2);
    expect(await crossingsOf(session, alert)).toEqual(['20 of 20 ended', '20 of 20']);
  });

  test('of a customer watches each of its subscriptions, also one that follows', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const alert = await anAlert(session, user, 'usage', 10, { customerId: user.customerId });
    await use(session, user, 10);
    expect(await crossingsOf(session, alert)).toEqual(['10 of 10']);
  });
});

describe('an alert on expiry', () => {
  test('triggers at the exact time before unused credits expire, once for those that do', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 100 });
    const alert = await anAlert(session, user, 'credit_expiry', 72);
    await grant(session, user, 10, { expiresAt: at('2026-02-10') });
    await grant(session, user, 10, { expiresAt: at('2026-02-20') });
    await advance(session, user.clockId, '2026-02-06');
    expect(await crossingsOf(session, alert)).toEqual([]);
    await advance(session, user.clockId, '2026-02-25');
    const crossings = await fresh(session).em.find(
      AlertCrossing,
      { alert: alert.id },
      { orderBy: { position: 'asc' } },
    );
    expect(
      crossings.map(({ value, createdAt, endedAt }) => [value, told(createdAt), told(endedAt)]),
    ).toEqual([
      ['72', '2026-02-07', '2026-02-10'],
      ['72', '2026-02-17', '2026-02-20'],
    ]);
  });
});

describe('an alert on a forecast', () => {
  test('triggers when the credits last for few hours, and ends once nothing is used', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { creditsOnce: 1_000 });
    const alert = await anAlert(session, user, 'credit_hours', 48);
    await advance(session, user.clockId, '2026-02-05');
    await use(session, user, 100);
    expect(await crossingsOf(session, alert)).toEqual([]);
    await advance(session, user.clockId, '2026-02-05T11:30:00.000Z');
    await use(session, user, 300);
    const [crossing] = await crossingsOf(session, alert);
    expect(crossing).toMatch(/^3\d\.\d+ of 48$/);
    await advance(session, user.clockId, '2026-02-08');
    expect(await crossingsOf(session, alert)).toEqual([`${crossing} ended`]);
  });

  test('has the same crossings whether a clock advances once or often', async ({ session }) => {
    const lives = await Promise.all(
      [1, 12].map(async (steps) => {
        const user = await aMeteredSubscription(session, { creditsOnce: 100 });
        const alert = await anAlert(session, user, 'projected_usage', 190);
        await use(session, user, 7);
        for (let step = 1; step <= steps; step++) {
          const hours = (step * 48) / steps;
          const then = new Date(at('2026-01-31').getTime() + hours * 3_600_000);
          await advance(session, user.clockId, then.toISOString());
        }
        const crossings = await fresh(session).em.find(AlertCrossing, { alert: alert.id });
        // Each subscription is compared at an instant of its own within the hour.
        const own = nextComparison(user.id, 0).getTime();
        return crossings.map(({ value, createdAt, endedAt }) => [
          value,
          createdAt,
          Number(endedAt) - own,
        ]);
      }),
    );
    const [once, often] = lives;
    expect(once).toEqual(often);
    expect(once).toHaveLength(1);
  });

  test('is compared once an hour, at an instant of its own', () => {
    const now = at('2026-02-05T11:30:00.000Z').getTime();
    const minutes = new Set<number>();
    for (let count = 0; count < 600; count++) {
      const next = nextComparison(`sub_${count}`, now).getTime();
      expect(next).toBeGreaterThan(now);
      expect(next).toBeLessThanOrEqual(now + 3_600_000);
      expect(nextComparison(`sub_${count}`, next).getTime()).toBe(next + 3_600_000);
      expect(nextComparison(`sub_${count}`, next - 1).getTime()).toBe(next);
      minutes.add(Math.floor(next / 60_000) % 60);
    }
    expect(minutes.size).toBe(60);
  });
});
