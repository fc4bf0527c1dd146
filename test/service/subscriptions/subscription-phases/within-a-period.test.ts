import { describe, expect } from 'vitest';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { expectedStart } from '#domain/subscriptions/adjusting/expected-start.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { deleteSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/delete-subscription-phase.ts';
import { updateSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/update-subscription-phase.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { aPaymentMethod, aPriceOf } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { aRamp } from '../../../support/records/phases.ts';
import { test } from '../../../support/test.ts';
import { advance, at, fresh } from '../../../support/timeline.ts';

const atDate = { timing: 'at_date' } as const;

describe('a phase that starts at its date', () => {
  test('charges the dearer rest of the period with the next invoice, which the upcoming one shows', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    const phase = await ramp.add({ startsAt: at('2026-01-16'), ...atDate });
    const planned = await fresh(session).em.findOneOrFail(Subscription, ramp.id);
    expect(expectedStart(phase, planned)).toEqual(at('2026-01-16'));
    expect((await upcomingInvoice(fresh(session), ramp.id))?.invoice.total).toBe(2_516);
    await advance(session, ramp.clockId, '2026-01-17');
    expect(await ramp.statuses()).toEqual(['started 2026-01-16']);
    expect((await upcomingInvoice(fresh(session), ramp.id))?.invoice.total).toBe(2_516);
    await advance(session, ramp.clockId, '2026-03-02');
    expect(await linedInvoicesOf(session, ramp.id)).toEqual([
      'period paid 2026-01-01: static 1000',
      'period paid 2026-02-01: static 2000, one_off 516',
      'period paid 2026-03-01: static 2000',
    ]);
    await expectMoneyToAgree(fresh(session));
  });

  test('credits the cheaper rest of the period at once, where the organization credits proration', async ({
    session,
  }) => {
    await updateOrganization(fresh(session), { organization: { prorationCredit: 'balance' } });
    const ramp = await aRamp(session);
    const items = [{ priceId: ramp.priceIds[0], unitPrice: 400 }];
    await ramp.add({ startsAt: at('2026-01-16'), items, ...atDate });
    await advance(session, ramp.clockId, '2026-01-17');
    const { customerId } = await fresh(session).em.findOneOrFail(Subscription, ramp.id);
    const customer = await fresh(session).em.findOneOrFail(Customer, customerId);
    expect(customer.creditBalance).toBe(310);
    await advance(session, ramp.clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, ramp.id)).at(-1)).toBe(
      'period paid 2026-02-01: static 400',
    );
    await expectMoneyToAgree(fresh(session));
  });

  test('reduces the rest of an earlier one before the period itself', async ({ session }) => {
    await updateOrganization(fresh(session), { organization: { prorationCredit: 'balance' } });
    const ramp = await aRamp(session);
    const [cheap, dear] = ramp.priceIds;
    await ramp.add({ startsAt: at('2026-01-11'), ...atDate });
    const items = [{ priceId: dear, unitPrice: 1_500 }];
    await ramp.add({ startsAt: at('2026-01-21'), items, ...atDate });
    const last = [{ priceId: cheap, unitPrice: 400 }];
    await ramp.add({ startsAt: at('2026-01-26'), items: last, ...atDate });
    await advance(session, ramp.clockId, '2026-01-27');
    const { customerId } = await fresh(session).em.findOneOrFail(Subscription, ramp.id);
    const customer = await fresh(session).em.findOneOrFail(Customer, customerId);
    expect(customer.creditBalance).toBe(117);
    await advance(session, ramp.clockId, '2026-02-02');
    expect((await linedInvoicesOf(session, ramp.id)).at(-1)).toBe(
      'period paid 2026-02-01: static 400, one_off 322, one_off 80',
    );
    await expectMoneyToAgree(fresh(session));
  });

  test('starts at its date after a plan change that was declined', async ({ session }) => {
    const ramp = await aRamp(session);
    await ramp.add({ startsAt: at('2026-01-16'), ...atDate });
    const declined = await aPaymentMethod(fresh(session), ramp.customerId, {
      token: 'sandbox_decline_insufficient_funds',
    });
    await updateSubscription(fresh(session), {
      id: ramp.id,
      subscription: { defaultPaymentMethodId: declined.id },
    });
    await advance(session, ramp.clockId, '2026-01-05');
    const newSubscriptionItems = [{ priceId: ramp.priceIds[2] }];
    await expect(
      adjustSubscription(fresh(session), {
        id: ramp.id,
        adjustment: { timing: 'immediately', newSubscriptionItems },
      }),
    ).rejects.toThrow('insufficient funds');
    await advance(session, ramp.clockId, '2026-01-17');
    expect(await ramp.statuses()).toEqual(['started 2026-01-16']);
  });

  test('waits for the next period where the interval differs, or a change is planned', async ({
    session,
  }) => {
    const yearly = await aPriceOf(session, { unitPrice: 12_000, intervalUnit: 'year' });
    const ramp = await aRamp(session);
    const items = [{ priceId: yearly }];
    await ramp.add({ startsAt: at('2026-01-16'), items, ...atDate });
    await advance(session, ramp.clockId, '2026-02-02');
    expect(await ramp.statuses()).toEqual(['started 2026-02-01']);
    const other = await aRamp(session);
    await other.add({ startsAt: at('2026-01-16'), ...atDate });
    await adjustSubscription(fresh(session), {
      id: other.id,
      adjustment: {
        timing: 'at_end_of_current_billing_period',
        newSubscriptionItems: [{ priceId: other.priceIds[2] }],
      },
    });
    await advance(session, other.clockId, '2026-02-02');
    expect(await other.statuses()).toEqual(['started 2026-02-01']);
    expect((await linedInvoicesOf(session, other.id)).at(-1)).toBe(
      'period paid 2026-02-01: static 2000',
    );
    await expectMoneyToAgree(fresh(session));
  });

  test('waits for the end of a pause, and is canceled with the subscription', async ({
    session,
  }) => {
    const ramp = await aRamp(session);
    await ramp.add({ startsAt: at('2026-01-16'), ...atDate });
    await advance(session, ramp.clockId, '2026-01-10');
    await pauseSubscription(fresh(session), {
      id: ramp.id,
      pause: { timing: 'immediately', resumesAt: at('2026-01-21') },
    });
    await advance(session, ramp.clockId, '2026-01-22');
    expect(await ramp.statuses()).toEqual(['started 2026-01-21']);
    await ramp.add({ startsAt: at('2026-02-16'), ...atDate });
    await cancelSubscription(fresh(session), {
      id: ramp.id,
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    await advance(session, ramp.clockId, '2026-03-02');
    expect(await ramp.statuses()).toEqual(['started 2026-01-21', 'canceled']);
    await expectMoneyToAgree(fresh(session));
  });

  test('moves with its date and timing, and goes with it', async ({ session }) => {
    const ramp = await aRamp(session);
    const moved = await ramp.add({ startsAt: at('2026-01-16'), ...atDate });
    const late = await ramp.add({ startsAt: at('2026-01-18'), ...atDate });
    const gone = await ramp.add({ startsAt: at('2026-01-12'), ...atDate });
    await deleteSubscriptionPhase(fresh(session), { id: gone.id });
    const update = (id: string, subscriptionPhase: object) =>
      updateSubscriptionPhase(fresh(session), { id, subscriptionPhase });
    await update(moved.id, { startsAt: at('2026-01-21') });
    await update(late.id, { timing: 'with_period', startsAt: at('2026-02-10') });
    await advance(session, ramp.clockId, '2026-01-20');
    expect(await ramp.statuses()).toEqual(['planned', 'planned']);
    await advance(session, ramp.clockId, '2026-03-02');
    expect(await ramp.statuses()).toEqual(['started 2026-01-21', 'started 2026-03-01']);
    await expectMoneyToAgree(fresh(session));
  });
});
