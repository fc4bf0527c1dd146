import { describe, expect } from 'vitest';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Event } from '#domain/model/platform/event.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { aCustomer, aLiveSession, aSubscription } from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

describe('the very first payment', () => {
  test('that fails ends the subscription at once, voids the invoice and leads back to the free plan', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const { id: defaultPaymentMethodId } = await timeline.pays('sandbox_decline_expired_card');
    const subscription = await timeline.subscribes({ defaultPaymentMethodId });
    expect(subscription).toMatchObject({ status: 'canceled', cancellationReason: 'non_payment' });
    expect(await timeline.invoices()).toMatchObject([{ status: 'void' }]);
    expect(await timeline.runs()).toMatchObject([
      { status: 'failed', errorDetails: 'The card has expired', attemptNumber: 1 },
    ]);
    const current = (await timeline.subscriptions()).filter(({ current }) => current);
    expect(current).toMatchObject([{ isFreePlan: true, status: 'active' }]);
    await timeline.toDay(40);
    expect(await timeline.payments()).toHaveLength(1);
    await expectMoneyToAgree(session);
  });

  test('is made at once, also by the customer’s default, and tells of itself in the feed', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    await timeline.pays('sandbox_success');
    const { id, status } = await timeline.subscribes({ unitPrice: 1_500, quantity: 2 });
    expect(status).toBe('active');
    expect(await timeline.payments()).toMatchObject([
      {
        amount: 3_000,
        subtotal: 3_000,
        status: 'succeeded',
        subscriptionId: id,
        receiptNumber: expect.any(String),
      },
    ]);
    const types = (await timeline.fresh().em.find(Event, {})).map(({ type }) => type);
    expect(types.filter((type) => /^(payment|invoice)\./.test(type)).sort()).toEqual([
      'invoice.created',
      'invoice.paid',
      'payment.created',
      'payment.succeeded',
    ]);
  });

  test('of an incomplete subscription comes with the first payment method, and its period begins then', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const { id, status } = await timeline.subscribes();
    expect(status).toBe('incomplete');
    await timeline.toDay(10);
    expect(await timeline.runs()).toEqual([]);
    await timeline.pays('sandbox_success');
    expect(await timeline.subscription(id)).toMatchObject({
      status: 'active',
      currentBillingPeriodStart: timeline.day(10),
      billingCycleAnchorDate: timeline.day(10),
    });
    expect(await timeline.invoices()).toMatchObject([{ status: 'paid' }]);
    await expectMoneyToAgree(session);
  });

  test('is made for one of two incomplete subscriptions only, the newer one', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const first = await timeline.subscribes();
    const second = await timeline.subscribes();
    await timeline.pays('sandbox_success');
    expect(await timeline.subscription(first.id)).toMatchObject({ status: 'canceled' });
    expect(await timeline.subscription(second.id)).toMatchObject({ status: 'active' });
    expect(await timeline.payments()).toHaveLength(1);
  });

  test('that is on its way prevents another subscription', async ({ session }) => {
    const timeline = await aTimeline(session);
    await timeline.pays('sandbox_slow');
    const { id, status } = await timeline.subscribes();
    expect(status).toBe('incomplete');
    await expect(timeline.subscribes()).rejects.toMatchObject({ code: 'CONFLICT' });
    await timeline.toDay(1);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    await expectMoneyToAgree(session);
  });
});

describe('in live mode, where no processor is configured', () => {
  test('payment methods and charges are refused with that reason, and nothing is charged', async ({
    session,
  }) => {
    const live = await aLiveSession(session);
    const customer = await aCustomer(live);
    const paymentMethod = {
      customerId: customer.id,
      type: 'card' as const,
      token: 'sandbox_success',
    };
    await expect(createPaymentMethod(live, { paymentMethod })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [
        {
          path: ['paymentMethod', 'token'],
          message: expect.stringContaining('no payment processor is configured for the live mode'),
        },
      ],
    });
    await expect(processorOf(live)).rejects.toThrow(
      'No payment processor is connected for this mode',
    );
    const { status } = await aSubscription(live, { customerId: customer.id });
    expect(status).toBe('incomplete');
    expect(await at(live, live.now).em.find(BillingRun, {})).toEqual([]);
  });
});
