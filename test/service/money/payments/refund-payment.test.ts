// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { resumeRefunds } from '#domain/money/commands/payments/resume-refunds.ts';
import { expectMoneyToAgree, moneyOf } from '../../../support/money.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { seeded } from '../../../support/seeded.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

describe('refunding a payment of 1,000', () => {
  test('in parts adds up; the last part makes payment and invoice refunded', async ({
    session,
  }) => {
    const { timeline, id } = await aPayment(session);
    await refundPayment(timeline.fresh(), { id, partialAmount: 300 });
    expect(await timeline.payments()).toMatchObject([
      { status: 'succeeded', refunded: false, refundedAmount: 300, refundedAt: timeline.day(0) },
    ]);
    expect(await timeline.invoices()).toMatchObject([{ status: 'partially_refunded' }]);
    await expect(refundPayment(timeline.fresh(), { id, partialAmount: 701 })).rejects.toMatchObject(
      {
        issues: [{ message: 'must be at most 700 (USD 7.00), the amount not yet refunded' }],
      },
    );
    await refundPayment(timeline.fresh(), { id });
    expect(await timeline.payments()).toMatchObject([
      { status: 'refunded', refunded: true, refundedAmount: 1_000 },
    ]);
    expect(await timeline.invoices()).toMatchObject([{ status: 'refunded' }]);
    await expect(refundPayment(timeline.fresh(), { id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expectMoneyToAgree(session);
  });

  test('by many at once never refunds more than was paid', async ({ session }) => {
    const amounts = fc.array(fc.option(fc.integer({ min: 1, max: 700 })), {
      minLength: 2,
      maxLength: 6,
    });
    const { timeline } = await aPayment(session);
    await fc.assert(
      fc.asyncProperty(amounts, async (amounts) => {
        const { id: customerId } = timeline.customer;
        await timeline.payByHand(1_000);
        const [payment] = await timeline
          .fresh()
          .em.find(Payment, { customerId, refundedAmount: 0 }, { orderBy: { id: 'asc' } });
        const id = payment?.id ?? '';
        const results = await Promise.allSettled(
          amounts.map((partialAmount) => refundPayment(timeline.fresh(), { id, partialAmount })),
        );
        const refunds = await timeline.fresh().em.find(Refund, { payment: id });
        const sum = refunds.reduce((sum, { amount }) => sum + amount, 0);
        expect(sum).toBeLessThanOrEqual(1_000);
        expect(refunds).toHaveLength(results.filter(({ status }) => status === 'fulfilled').length);
        const { refundedAmount } = await timeline.fresh().em.findOneOrFail(Payment, id);
        expect(refundedAmount).toBe(sum);
        await expectMoneyToAgree(session);
      }),
      seeded('refund-payment.test.ts', { numRuns: 8 }),
    );
  });

  test('that stops on its way is resumed by the job, and refunded once', async ({ session }) => {
    const { timeline, id } = await aPayment(session);
    const { em } = timeline.fresh();
    const payment = await em.findOneOrFail(Payment, id);
    // A refund of an earlier version, without a credit note.
    const of = { payment, customerId: payment.customerId };
    em.create(Refund, { ...of, amount: 400, isUndocumented: true });
    await em.flush();
    const failed = (error: unknown) => {
      throw error;
    };
    const resume = () => resumeRefunds(session.em, session.now, 'test', failed);
    await Promise.all([resume(), resume(), resume()]);
    expect(await timeline.payments()).toMatchObject([{ refundedAmount: 400 }]);
    expect(await moneyOf(session)).toEqual({ payments: 600, charges: 600 });
    await expectMoneyToAgree(session);
  });

  test('is refused while it is on its way and when it has failed', async ({ session }) => {
    for (const token of ['sandbox_slow', 'sandbox_decline_expired_card']) {
      const { timeline, id } = await aPayment(session, token);
      await expect(refundPayment(timeline.fresh(), { id })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        issues: [
          { message: expect.stringMatching(/is (processing|failed): only a succeeded payment/) },
        ],
      });
    }
  });
});

async function aPayment(session: Session, token = 'sandbox_success') {
  const timeline = await aTimeline(session);
  const { id: defaultPaymentMethodId } = await timeline.pays(token);
  await timeline.subscribes({ defaultPaymentMethodId });
  const [payment] = await timeline.payments();
  return { timeline, id: payment?.id ?? '' };
}
