// @module-tag long
import { describe, expect } from 'vitest';
import { Price } from '#domain/model/catalog/price.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import type { PhaseInput } from '#domain/subscriptions/adjusting/phase-input.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { deleteSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/delete-subscription-phase.ts';
import { updateSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/update-subscription-phase.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { catchUp } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { aRamp } from '../../../support/records/phases.ts';
import { test } from '../../../support/test.ts';
import { advance, at, eventsOf, fresh } from '../../../support/timeline.ts';

describe('a phase', () => {
  test('is refused with an amount that no invoice has room for', async ({ session }) => {
    const { add, priceIds } = await aRamp(session);
    const items = [{ priceId: priceIds[1], unitPrice: 9_000_000_000_000, quantity: 2_000 }];
    await expect(add({ startsAt: at('2026-01-20'), items })).rejects.toMatchObject({
      issues: [{ code: 'OUT_OF_RANGE', path: ['subscriptionPhase', 'items'] }],
    });
  });

  test('starts with the first billing period from its date on, once, and the upcoming invoice has it', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    const phase = await ramp.add({ startsAt: at('2026-01-20') });
    await ramp.add({
      after: { interval: 'month', intervalCount: 1 },
      items: [{ priceId: ramp.priceIds[1], quantity: 2 }, { priceId: ramp.priceIds[2] }],
    });
    const upcoming = await upcomingInvoice(fresh(session), ramp.id);
    expect(upcoming?.invoice.total).toBe(2_000);
    expect(await ramp.statuses()).toEqual(['planned', 'planned']);
    await advance(session, ramp.clockId, '2026-01-31');
    await Promise.all([
      advance(session, ramp.clockId, '2026-02-01'),
      ...Array.from({ length: 3 }, () => catchUp(fresh(session), ramp.id)),
    ]);
    await advance(session, ramp.clockId, '2026-04-02');
    expect(await linedInvoicesOf(session, ramp.id)).toEqual([
      'period paid 2026-01-01: static 1000',
      'period paid 2026-02-01: static 2000',
      'period paid 2026-03-01: static 4000, static 3000',
      'period paid 2026-04-01: static 4000, static 3000',
    ]);
    expect(await ramp.statuses()).toEqual(['started 2026-02-01', 'started 2026-03-01']);
    expect((await eventsOf(session, phase.id)).map(({ type }) => type)).toEqual([
      'subscription_phase.created',
      'subscription_phase.started',
    ]);
    expect((await eventsOf(session, ramp.id)).map(({ type }) => type)).toContain(
      'subscription.adjusted',
    );
    await expectMoneyToAgree(fresh(session));
  });

  test('can be changed and deleted until it starts', async ({ session }) => {
    const ramp = await aRamp(session);
    const phase = await ramp.add({ startsAt: at('2026-02-01') });
    const gone = await ramp.add({ startsAt: at('2026-03-01') });
    await updateSubscriptionPhase(fresh(session), {
      id: phase.id,
      subscriptionPhase: { startsAt: at('2026-02-10'), items: [{ priceId: ramp.priceIds[2] }] },
    });
    await deleteSubscriptionPhase(fresh(session), { id: gone.id });
    await advance(session, ramp.clockId, '2026-03-02');
    expect((await linedInvoicesOf(session, ramp.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000',
      'period paid 2026-03-01: static 3000',
    ]);
    await expect(deleteSubscriptionPhase(fresh(session), { id: phase.id })).rejects.toMatchObject({
      issues: [{ code: 'INVALID_STATE' }],
    });
  });

  test('ends the discount of a present item where its item states that it has none', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    const [priceId] = ramp.priceIds;
    await adjustSubscription(fresh(session), {
      id: ramp.id,
      adjustment: {
        timing: 'immediately',
        newSubscriptionItems: [{ priceId, discountPercentage: '10' }],
        prorateCurrentBillingPeriod: false,
      },
    });
    await ramp.add({ startsAt: at('2026-03-01'), items: [{ priceId }] });
    await ramp.add({ startsAt: at('2026-04-01'), items: [{ priceId, discountPercentage: null }] });
    await advance(session, ramp.clockId, '2026-04-02');
    expect((await linedInvoicesOf(session, ramp.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 900',
      'period paid 2026-03-01: static 900',
      'period paid 2026-04-01: static 1000',
    ]);
  });

  test('of a new subscription is planned with it, after its trial', async ({ session }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const items = [{ priceId, quantity: 3 }];
    const ramp = await aRamp(session, {
      trialEnd: at('2026-01-15'),
      phases: [{ after: { interval: 'month' }, items }],
    });
    await advance(session, ramp.clockId, '2026-03-16');
    expect(await linedInvoicesOf(session, ramp.id)).toEqual([
      'period paid 2026-01-15: static 1000',
      'period paid 2026-02-15: static 6000',
      'period paid 2026-03-15: static 6000',
    ]);
  });

  test('is skipped where a later one is due with it, and canceled with the subscription', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    await ramp.add({ startsAt: at('2026-02-01') });
    await ramp.add({ startsAt: at('2026-03-01'), items: [{ priceId: ramp.priceIds[2] }] });
    await ramp.add({ startsAt: at('2026-06-01') });
    await pauseSubscription(fresh(session), {
      id: ramp.id,
      pause: { timing: 'at_end_of_current_billing_period', resumesAt: at('2026-03-10') },
    });
    await advance(session, ramp.clockId, '2026-03-11');
    expect((await linedInvoicesOf(session, ramp.id)).slice(1)).toEqual([
      'period paid 2026-03-10: static 3000',
    ]);
    const cancellation = { timing: 'immediately' } as const;
    await cancelSubscription(fresh(session), { id: ramp.id, cancellation });
    expect(await ramp.statuses()).toEqual(['skipped', 'started 2026-03-10', 'canceled']);
  });

  test('whose items cannot be applied leaves the present ones, and states the reason', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    const { id } = await ramp.add({ startsAt: at('2026-02-01') });
    await fresh(session).em.nativeUpdate(
      Price,
      { id: ramp.priceIds[1] },
      { active: false, isDefault: false },
    );
    await advance(session, ramp.clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, ramp.id)).slice(1)).toEqual([
      'period paid 2026-02-01: static 1000',
    ]);
    expect(await fresh(session).em.findOneOrFail(SubscriptionPhase, id)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('is retired'),
    });
    expect((await eventsOf(session, id)).at(-1)?.type).toBe('subscription_phase.failed');
  });

  test('is refused with the field, for a start or items that cannot be', async ({ session }) => {
    const ramp = await aRamp(session);
    const refusal = (phase: Partial<PhaseInput>) =>
      ramp.add(phase).then(
        () => null,
        ({ issues }) => [issues[0].code, issues[0].path.join('.')],
      );
    await ramp.add({ startsAt: at('2026-02-01') });
    expect([
      await refusal({ startsAt: at('2026-02-01') }),
      await refusal({ startsAt: at('2025-02-01') }),
      await refusal({ startsAt: at('2026-05-01'), items: [{ priceId: 'price_none' }] }),
    ]).toEqual([
      ['TAKEN', 'subscriptionPhase.startsAt'],
      ['OUT_OF_RANGE', 'subscriptionPhase.startsAt'],
      ['NOT_FOUND', 'subscriptionPhase.items.0.priceId'],
    ]);
  });
});
