import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { type BegunPayment, beginPayment } from '#domain/money/collection/begin-payment.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { settlePayment } from '#domain/money/collection/settle-payment.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const hour = 1 / 24;

describe('a payment without a final status', () => {
  test('that is slow succeeds with the lookup after an hour, at that hour', async ({ session }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_slow');
    expect(await timeline.payments()).toMatchObject([
      { status: 'processing', settlementDate: null },
    ]);
    expect(await timeline.invoices()).toMatchObject([{ status: 'awaiting_payment_confirmation' }]);
    await timeline.toDay(0.9 * hour);
    expect(await timeline.payments()).toMatchObject([{ status: 'processing' }]);
    await timeline.toDay(hour);
    expect(await timeline.payments()).toMatchObject([
      { status: 'succeeded', settlementDate: timeline.day(hour), checkDueAt: null },
    ]);
    expect(await timeline.invoices()).toMatchObject([{ status: 'paid' }]);
    expect(await timeline.runs()).toMatchObject([{ status: 'succeeded' }]);
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    await expectMoneyToAgree(session);
  });

  test.for(['sandbox_requires_action', 'sandbox_error_before_charge'])(
    'has failed after 6 hours, and not before: %s',
    async (token, { session }) => {
      const { timeline, id } = await aPayer(session, token);
      await timeline.toDay(5.9 * hour);
      expect((await timeline.payments())[0]).toMatchObject({ isPending: true });
      await timeline.toDay(6 * hour);
      expect(await timeline.payments()).toMatchObject([
        {
          status: 'failed',
          failureCode: 'payment_timeout',
          failureMessage: 'The payment was not confirmed within 6 hours',
        },
      ]);
      expect(await timeline.subscription(id)).toMatchObject({ status: 'canceled' });
      // The processor’s record of it can never take money any more.
      for (const { status } of await timeline.charges()) expect(status).toBe('canceled');
      await expectMoneyToAgree(session);
    },
  );

  test('whose connection broke is looked up after a minute, and then after as long again', async ({
    session,
  }) => {
    const { timeline } = await aPayer(session, 'sandbox_error_before_charge');
    for (const [now, next] of [
      [0, 1],
      [1, 2],
      [2, 4],
      [4, 8],
      [8, 16],
    ] as const) {
      await timeline.toDay((now / 60) * hour);
      const [payment] = await timeline.payments();
      expect(payment?.checkDueAt).toEqual(timeline.day((next / 60) * hour));
    }
  });

  test('whose answer was lost after the charge is found at once, and charged once', async ({
    session,
  }) => {
    const { timeline, id } = await aPayer(session, 'sandbox_error_after_charge');
    expect(await timeline.subscription(id)).toMatchObject({ status: 'active' });
    expect(await timeline.payments()).toMatchObject([{ status: 'succeeded' }]);
    expect(await timeline.charges()).toHaveLength(1);
  });

  test('that the processor has not heard of within 6 hours is not charged any more', async ({
    session,
  }) => {
    const timeline = await aTimeline(session);
    const { id: defaultPaymentMethodId } = await timeline.pays('sandbox_success');
    await timeline.subscribes({ defaultPaymentMethodId, startDate: timeline.day(1) });
    const [run] = await timeline.runs();
    // The process that works on it stops before the charge, and is away for 7 hours.
    const begun = await beginPayment(timeline.fresh(), run?.id ?? '');
    const { paymentId } = begun as BegunPayment;
    const away = await timeline.moveClockAlone(7 * hour);
    await chargePayment(away, { paymentId, resumed: true });
    expect(await timeline.charges()).toEqual([]);
    expect(await timeline.payments()).toMatchObject([{ failureCode: 'payment_timeout' }]);
    await expectMoneyToAgree(session);
  });

  test('keeps its final status, whatever the processor answers later', async ({ session }) => {
    const { timeline } = await aPayer(session, 'sandbox_success');
    const [payment] = await timeline.payments();
    const failed = { status: 'failed', failureCode: 'late', failureMessage: 'Late' } as const;
    expect(await settlePayment(timeline.fresh(), payment?.id ?? '', failed)).toBeUndefined();
    expect(await timeline.payments()).toMatchObject([{ status: 'succeeded', failureCode: null }]);
  });
});

async function aPayer(session: Session, token: string) {
  const timeline = await aTimeline(session);
  const { id: defaultPaymentMethodId } = await timeline.pays(token);
  const { id } = await timeline.subscribes({ defaultPaymentMethodId });
  return { timeline, id };
}
