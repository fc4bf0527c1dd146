// @module-tag long
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { agreedBy, anAdjustable, refused, shown, whileBusy } from '../../../support/adjustments.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';
import { eventsOf } from '../../../support/timeline.ts';

type Adjustable = Awaited<ReturnType<typeof anAdjustable>>;

const succeeded = async (it: Adjustable) =>
  (await it.charges()).filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);

/** Half way through a period that was paid for, when something else is to pay. */
async function halfWayWith(session: Parameters<typeof anAdjustable>[0], token: string) {
  const it = await anAdjustable(session);
  const method = await it.pays(token, { default: true });
  await it.toDay(15);
  const items = [{ priceId: await it.monthly(2_000) }];
  return { it, items, before: await agreedBy(session, it.customer.id), method: method.id };
}

describe('an adjustment that is to be paid for', () => {
  test.for(['sandbox_requires_action', 'sandbox_error_before_charge'])(
    'with %s is given up after six hours, and nothing has changed',
    async (token, { session }) => {
      const { it, items, before } = await halfWayWith(session, token);
      const { billingRunId, subscriptionItems } = await it.adjust(items);
      expect(billingRunId).toMatch(/^billing_run_/);
      expect(shown(subscriptionItems)).toEqual(['1000×1']);
      await it.toDay(16);
      expect(await agreedBy(session, it.customer.id)).toEqual(before);
      expect(await it.runs()).toMatchObject([
        { status: 'succeeded' },
        { status: 'failed', purpose: 'adjustment' },
      ]);
      await it.toDay(20);
      expect(await it.runs()).toHaveLength(2);
      expect(await succeeded(it)).toEqual([1_000]);
      await expectMoneyToAgree(session);
    },
  );

  test('is made when the answer of the processor was lost, and charged once', async ({
    session,
  }) => {
    const { it, items } = await halfWayWith(session, 'sandbox_error_after_charge');
    const { subscriptionItems, billingRunId } = await it.adjust(items);
    expect(billingRunId).toBeNull();
    expect(shown(subscriptionItems)).toEqual(['2000×1']);
    await it.toDay(20);
    expect(await succeeded(it)).toEqual([1_000, 500]);
    await expectMoneyToAgree(session);
  });

  test('is answered with its status when the wait is over, and made all the same', async ({
    session,
    database,
  }) => {
    const { it, items, method } = await halfWayWith(session, 'sandbox_success');
    const { billingRunId, subscriptionItems } = await whileBusy(database.databaseUrl, method, () =>
      it.adjust(items, {}, AbortSignal.timeout(300)),
    );
    expect(billingRunId).toMatch(/^billing_run_/);
    expect(shown(subscriptionItems)).toEqual(['1000×1']);
    await expect.poll(async () => shown((await it.items()).slice(1))).toEqual(['2000×1']);
    expect(await succeeded(it)).toEqual([1_000, 500]);
    await expectMoneyToAgree(session);
  });

  test('is made when the client has gone', async ({ session, database, gateway, tenant }) => {
    const { it, items, method } = await halfWayWith(session, 'sandbox_success');
    const controller = new AbortController();
    await whileBusy(database.databaseUrl, method, async () => {
      const request = gateway.fetch(`http://test/api/v1/subscriptions/${it.id}/adjust`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          adjustment: { timing: 'immediately', newSubscriptionItems: items },
        }),
      });
      await expect.poll(async () => (await it.runs()).length).toBe(2);
      controller.abort();
      void Promise.resolve(request).catch(() => undefined);
    });
    await expect.poll(async () => shown((await it.items()).slice(1))).toEqual(['2000×1']);
    expect(await succeeded(it)).toEqual([1_000, 500]);
  });

  test('is paid by the backup when the default declines', async ({ session }) => {
    const it = await anAdjustable(session);
    const backup = await it.pays('sandbox_success');
    await it.pays('sandbox_decline_expired_card', { default: true });
    await it
      .fresh()
      .em.execute('update subscription set backup_payment_method_id = ? where id = ?', [
        backup.id,
        it.id,
      ]);
    await it.adjust([{ priceId: await it.monthly(2_000) }]);
    expect(await succeeded(it)).toEqual([1_000, 1_000]);
    await expectMoneyToAgree(session);
  });

  test('is alone: no other one, no cancellation and no boundary comes between', async ({
    session,
  }) => {
    const { it, items } = await halfWayWith(session, 'sandbox_slow');
    const { billingRunId } = await it.adjust(items);
    const waits = new RegExp(`is being adjusted: wait until billing run ${billingRunId}`);
    await expect(it.adjust(items)).rejects.toMatchObject(refused('id', waits));
    expect(await it.preview(items)).toMatchObject({
      canAdjust: false,
      reason: expect.stringMatching(waits),
    });
    for (const timing of ['immediately', 'at_end_of_current_billing_period'] as const) {
      await expect(
        cancelSubscription(it.fresh(), { id: it.id, cancellation: { timing } }),
      ).rejects.toMatchObject(refused('id', waits));
    }
    await it.toDay(16);
    expect(await it.current()).toMatchObject({ transitionDueAt: it.day(30) });
  });

  test('counts a charge that is due and has not been made yet', async ({ session }) => {
    const it = await anAdjustable(session);
    const items = [{ priceId: await it.monthly(2_000) }];
    await it.moveClockAlone(30);
    expect(await it.preview(items)).toMatchObject({ prorationAmount: 1_000 });
    await it.adjust(items);
    await it.toDay(30);
    expect((await succeeded(it)).sort()).toEqual([1_000, 1_000, 1_000]);
    await expectMoneyToAgree(session);
  });

  test('refuses payments and retries of the invoice that it replaces', async ({ session }) => {
    const it = await anAdjustable(session);
    await it.pays('sandbox_decline_expired_card', { default: true });
    await it.toDay(30);
    const slow = await it.pays('sandbox_slow');
    await it
      .fresh()
      .em.execute('update subscription set default_payment_method_id = ? where id = ?', [
        slow.id,
        it.id,
      ]);
    await it.moveClockAlone(45);
    await it.adjust([{ priceId: await it.monthly(2_000) }]);
    const [, unpaid] = await it.invoices();
    expect(unpaid).toMatchObject({ status: 'open', total: 1_000 });
    const pay = payInvoice(it.fresh(), { id: unpaid?.id ?? '', paymentMethodId: slow.id });
    await expect(pay).rejects.toMatchObject(refused('id', /is being paid by billing run/));
    await it.toDay(46);
    expect((await it.invoices()).map(({ status, total }) => [status, total])).toEqual([
      ['paid', 1_000],
      ['void', 1_000],
      ['paid', 1_500],
    ]);
    expect(await it.current()).toMatchObject({ status: 'active' });
    await expectMoneyToAgree(session);
  });
});

describe('the feed', () => {
  test('tells of an adjustment with the old and the new items, also when nothing else changes', async ({
    session,
  }) => {
    const it = await anAdjustable(session);
    const [item] = await it.items();
    const old = {
      id: item?.id,
      name: 'Pro',
      priceId: item?.priceId,
      unitPrice: 1_000,
      quantity: 1,
    };
    await it.adjust([{ id: item?.id, quantity: 3 }]);
    const adjusted = (await eventsOf(session, it.id)).at(-1);
    expect(adjusted).toMatchObject({
      type: 'subscription.adjusted',
      data: { id: it.id, oldItems: [old], newItems: [{ ...old, quantity: 3 }] },
    });
    await it.adjust([{ priceId: await it.monthly(1) }], { timing: 'auto' });
    await it.cancelScheduled();
    expect((await eventsOf(session, it.id)).slice(-2)).toMatchObject([
      {
        type: 'subscription.adjustment_scheduled',
        data: { oldItems: [{ quantity: 3 }], newItems: [{ unitPrice: 1, quantity: 1 }] },
      },
      {
        type: 'subscription.adjustment_canceled',
        data: {
          oldItems: [{ quantity: 3 }],
          newItems: [{ unitPrice: 1, quantity: 1 }],
          reason: null,
        },
      },
    ]);
  });
});
