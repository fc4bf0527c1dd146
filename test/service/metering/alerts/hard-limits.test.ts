import { describe, expect } from 'vitest';
import type { DomainError } from '#domain/kernel/errors.ts';
import { UsageRefusal } from '#domain/model/recording/usage-refusal.ts';
import { acceptUsageEvents } from '#domain/recording/commands/usage-events/accept-usage-events.ts';
import { recordUsageEvent } from '#domain/recording/commands/usage-events/record-usage-event.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { countAllAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { anAlert, anotherMeter, crossingsOf } from '../../../support/alerts.ts';
import { test } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription, balanceOf, grant, use } from '../../../support/usage.ts';

const refusalOf = (attempt: Promise<unknown>): Promise<DomainError> =>
  attempt.then(
    () => expect.fail('The usage was not refused'),
    (error) => error,
  );

describe('a hard limit', () => {
  test('refuses usage beyond it, exactly under 64 callers', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const alert = await anAlert(session, user, 'usage', 100, { hardLimit: true });
    const attempts = await Promise.allSettled(
      Array.from({ length: 64 }, (_, place) =>
        recordUsageEvent(fresh(session), {
          usageEvent: {
            subscriptionId: user.id,
            usageMeterSlug: user.slug,
            amount: '3',
            transactionId: `limited-${user.id}-${place}`,
          },
        }),
      ),
    );
    const refused = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(64 - 33);
    expect(refused[0]).toMatchObject({
      code: 'CONFLICT',
      issues: [
        {
          code: 'LIMIT_EXCEEDED',
          path: ['usageEvent', 'amount'],
          message: `exceeds the hard limit ${alert.id} of 100 units for a billing period: 99 are used and 3 requested`,
        },
      ],
    });
    expect(await balanceOf(session, user)).toMatchObject({ used: '99' });
    await use(session, user, 1);
    expect(await crossingsOf(session, alert)).toEqual(['100 of 100']);
    await advance(session, user.clockId, '2026-03-01');
    await use(session, user, 100);
  });

  test('on spend is exact over the meters of a subscription under many callers', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { unitPrice: 2, usageEventsPerUnit: 1 });
    const other = await anotherMeter(session, user, 3);
    await anAlert(session, user, 'spend', 100, { hardLimit: true });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, place) => use(session, place % 2 ? user : other, 2)),
    );
    const amounts = outcomes.map(({ status }, place) =>
      status === 'fulfilled' ? (place % 2 ? 4 : 6) : 0,
    );
    const spent = amounts.reduce<number>((sum, amount) => sum + amount, 0);
    expect(spent).toBeLessThanOrEqual(100);
    expect(spent).toBeGreaterThan(100 - 6);
    const [used, more] = [await balanceOf(session, user), await balanceOf(session, other)];
    expect(2 * Number(used?.used) + 3 * Number(more?.used)).toBe(spent);
  });

  test('refuses a whole bulk call, and names the last events that have to go', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await anAlert(session, user, 'usage', 100, { hardLimit: true });
    const refusal = await refusalOf(use(session, user, 60, 30, 20, 15));
    expect(refusal.issues.map(({ code, path }) => [code, path])).toEqual([
      ['LIMIT_EXCEEDED', ['usageEvents', 2, 'amount']],
      ['LIMIT_EXCEEDED', ['usageEvents', 3, 'amount']],
    ]);
    expect(await balanceOf(session, user)).toBeUndefined();
    await use(session, user, 60, 30);
  });

  test('makes a refusal of accepted usage, and counts the events before it', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await anAlert(session, user, 'usage', 100, { hardLimit: true });
    const { position } = await acceptUsageEvents(fresh(session), {
      usageEvents: [60, 30, 20].map((amount) => ({
        subscriptionId: user.id,
        usageMeterSlug: user.slug,
        amount: String(amount),
        transactionId: `accepted-${user.id}-${amount}`,
      })),
    });
    await countAllAcceptedUsage(fresh(session));
    expect(await balanceOf(session, user)).toMatchObject({ used: '90' });
    const [refused] = await fresh(session).em.find(UsageRefusal, { acceptanceId: position });
    expect(refused?.events.map(({ event, issues }) => [event.amount, issues[0]?.code])).toEqual([
      ['20', 'LIMIT_EXCEEDED'],
    ]);
  });

  test('on credits refuses usage that they do not cover', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 50 });
    const alert = await anAlert(session, user, 'credits', 0, { hardLimit: true });
    await use(session, user, 45);
    const refusal = await refusalOf(use(session, user, 6));
    expect(refusal.issues[0]?.message).toBe(
      `exceeds the hard limit ${alert.id}, which keeps 0 usage credits: 5 are left and 6 requested`,
    );
    await use(session, user, 5);
    expect(await crossingsOf(session, alert)).toEqual(['0 of 0']);
    await refusalOf(use(session, user, 1));
    await grant(session, user, 3);
    await use(session, user, 3);
    expect(await crossingsOf(session, alert)).toEqual(['0 of 0 ended', '0 of 0']);
  });

  test('does not refuse a correction, and no usage that leaves the value as it is', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { aggregationType: 'max' });
    const [event] = await use(session, user, 80);
    await anAlert(session, user, 'usage', 50, { hardLimit: true });
    await use(session, user, 70);
    await refusalOf(use(session, user, 90));
    await replaceUsageEvent(fresh(session), {
      id: event?.id ?? '',
      usageEvent: { amount: '60', transactionId: `corrected-${user.id}` },
      reason: 'Too high',
    });
    expect(await balanceOf(session, user)).toMatchObject({ used: '70' });
  });
});
