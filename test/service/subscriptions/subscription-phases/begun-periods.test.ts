import { describe, expect } from 'vitest';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { expectedStart } from '#domain/subscriptions/adjusting/expected-start.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { aPaymentMethod, aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { aRamp } from '../../../support/records/phases.ts';
import { test } from '../../../support/test.ts';
import { advance, at, fresh, subscriptionOf } from '../../../support/timeline.ts';

describe('a phase that is due with a period', () => {
  test('starts with a first period that has waited for a payment, as its only items', async ({
    session,
  }) => {
    const ramp = await aRamp(session, { paid: false });
    const yearly = await aPriceOf(session, { unitPrice: 9_000, intervalUnit: 'year' });
    await ramp.add({ startsAt: at('2026-01-05') });
    await ramp.add({ startsAt: at('2026-01-10'), items: [{ priceId: yearly, quantity: 2 }] });
    await advance(session, ramp.clockId, '2026-01-15');
    await aPaymentMethod(session, ramp.customerId);
    await advance(session, ramp.clockId, '2027-01-16');
    expect(await linedInvoicesOf(session, ramp.id)).toEqual([
      'period paid 2026-01-15: static 18000',
      'period paid 2027-01-15: static 18000',
    ]);
    expect(await ramp.statuses()).toEqual(['skipped', 'started 2026-01-15']);
    expect(await subscriptionOf(session, ramp.id)).toMatchObject({ priceId: yearly });
    await expectMoneyToAgree(fresh(session));
  });

  test('is skipped by a later adjustment that begins the period and is paid for', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    const yearly = await aPriceOf(session, { unitPrice: 9_000, intervalUnit: 'year' });
    await ramp.add({ startsAt: at('2026-01-10') });
    await ramp.add({ startsAt: at('2026-06-10') });
    await advance(session, ramp.clockId, '2026-01-15');
    await adjustSubscription(fresh(session), {
      id: ramp.id,
      adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId: yearly }] },
    });
    expect(await ramp.statuses()).toEqual(['skipped', 'planned']);
    await advance(session, ramp.clockId, '2027-01-16');
    expect((await linedInvoicesOf(session, ramp.id)).at(-1)).toBe(
      'period paid 2027-01-15: static 2000',
    );
    expect(await ramp.statuses()).toEqual(['skipped', 'started 2027-01-15']);
    await expectMoneyToAgree(fresh(session));
  });

  test('states that boundary beforehand, and none while it is unknown', async ({ session }) => {
    const ramp = await aRamp(session, { trialEnd: at('2026-01-15') });
    const [one, two, three] = [
      await ramp.add({ startsAt: at('2026-01-10') }),
      await ramp.add({ startsAt: at('2026-01-16') }),
      await ramp.add({ startsAt: at('2026-04-15') }),
    ];
    const expected = async (phase: SubscriptionPhase) =>
      expectedStart(
        await fresh(session).em.findOneOrFail(SubscriptionPhase, phase.id),
        await subscriptionOf(session, ramp.id),
      );
    expect([await expected(one), await expected(two), await expected(three)]).toEqual([
      at('2026-01-15'),
      at('2026-02-15'),
      at('2026-04-15'),
    ]);
    await advance(session, ramp.clockId, '2026-03-20');
    expect(await ramp.statuses()).toEqual(['started 2026-01-15', 'started 2026-02-15', 'planned']);
    await pauseSubscription(fresh(session), { id: ramp.id, pause: { timing: 'immediately' } });
    expect([await expected(one), await expected(three)]).toEqual([null, null]);
  });

  test('is refused before the first period of a subscription that starts later', async ({
    session,
  }) => {
    const ramp = await aRamp(session, { startDate: at('2026-02-01') });
    await expect(ramp.add({ startsAt: at('2026-01-20') })).rejects.toMatchObject({
      issues: [{ code: 'OUT_OF_RANGE', message: expect.stringMatching(/first billing period/) }],
    });
  });
});
