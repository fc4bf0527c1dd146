import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { applyDiscount } from '#domain/subscriptions/commands/subscriptions/apply-discount.ts';
import { removeDiscount } from '#domain/subscriptions/commands/subscriptions/remove-discount.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { anAdjustable, refused } from '../../../support/adjustments.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aCustomer, aPaymentMethod, aSubscription, fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';

const totalsOf = async (line: Awaited<ReturnType<typeof anAdjustable>>) =>
  (await line.invoices()).map(({ total }) => total);

describe('a discount that is applied to a running subscription', () => {
  test('leaves the running period and its adjustments as they are, and reduces the next one', async ({
    session,
  }) => {
    const line = await anAdjustable(session);
    const { code } = await aDiscount(session, { amount: 50 });
    await line.toDay(15);
    await applyDiscount(line.fresh(), { id: line.id, discountCode: code.toLowerCase() });
    expect((await upcomingInvoice(line.fresh(), line.id))?.invoice.total).toBe(500);
    const items = [{ priceId: await line.monthly(2_000), quantity: 1 }];
    expect(await line.preview(items)).toMatchObject({ prorationAmount: 500, amountDue: 500 });
    await line.adjust(items);
    await line.toDay(31);
    await removeDiscount(line.fresh(), { id: line.id });
    await line.toDay(61);
    expect(await totalsOf(line)).toEqual([1_000, 500, 1_000, 2_000]);
    await expectMoneyToAgree(fresh(session));
    await expectBooksToAgree(fresh(session));
  });

  test('reduces the period that a change of the interval begins at the same instant', async ({
    session,
  }) => {
    const line = await anAdjustable(session);
    const { id: discountId } = await aDiscount(session, { amount: 50 });
    await line.toDay(15);
    await applyDiscount(line.fresh(), { id: line.id, discountId });
    const other = await anAdjustable(session, { days: 60, unitPrice: 4_000 });
    const { priceId } = await other.current();
    const items = [{ priceId, quantity: 1 }];
    // Half of the new period, less the unused half of the whole first one.
    expect((await line.preview(items)).prorationAmount).toBe(1_500);
    await line.adjust(items);
    expect(await totalsOf(line)).toEqual([1_000, 1_500]);
    await expectMoneyToAgree(fresh(session));
  });

  test('does not reduce a period that has begun and waits for late usage', async ({ session }) => {
    const line = await anAdjustable(session, { draftWindowHours: 48 });
    const { id: discountId } = await aDiscount(session, { amount: 50 });
    await line.toDay(31);
    await applyDiscount(line.fresh(), { id: line.id, discountId });
    await line.toDay(63);
    expect(await totalsOf(line)).toEqual([1_000, 1_000, 500]);
  });

  test('counts its own payments, also after another discount', async ({ session }) => {
    const two = { amount: 50, duration: 'number_of_payments' as const, numberOfPayments: 2 };
    const first = await aDiscount(session, two);
    const second = await aDiscount(session, two);
    const line = await anAdjustable(session, { discountId: first.id });
    await line.toDay(31);
    await applyDiscount(line.fresh(), { id: line.id, discountId: second.id });
    await line.toDay(91);
    const invoices = await line.invoices();
    const explained = await Promise.all(
      invoices.map(async ({ id }) => (await explainInvoice(fresh(session), id)).lines.at(-1)),
    );
    expect(explained.map((of) => of?.steps.at(-1))).toEqual(
      [1, 2, 1, 2].map((payment) => `number_of_payments: payment ${payment} of 2`),
    );
  });

  test('is refused where there is nothing to reduce, and names the next step', async ({
    session,
  }) => {
    const { id: discountId } = await aDiscount(session);
    const of = async (id: string, named: object = { discountId }) =>
      applyDiscount(fresh(session), { id, ...named });
    const { id } = await aSubscription(session);
    await expect(of(id)).rejects.toMatchObject(refused('id', /waits for its first payment/));
    await expect(removeDiscount(fresh(session), { id })).rejects.toMatchObject(
      refused('id', /has no discount to remove/),
    );
    const free = await aSubscription(session, { doNotCharge: true });
    await expect(of(free.id)).rejects.toMatchObject(refused('id', /is never charged/));
    const line = await anAdjustable(session, { discountId });
    const { code } = await aDiscount(session);
    const apply = (named: object) => applyDiscount(line.fresh(), { id: line.id, ...named });
    await expect(apply({ discountCode: code })).rejects.toMatchObject(
      refused('id', /has the discount CODE\d+: remove it first/),
    );
    await removeDiscount(line.fresh(), { id: line.id });
    await expect(apply({})).rejects.toMatchObject(refused('discountCode', /give discountCode or/));
    await expect(apply({ discountCode: 'NONE' })).rejects.toMatchObject(
      refused('discountCode', /Unknown code NONE/),
    );
  });

  test('waits until an adjustment is paid, which the customer gets as it was paid', async ({
    session,
  }) => {
    const { id: discountId } = await aDiscount(session);
    const line = await anAdjustable(session, { token: 'sandbox_slow' });
    await line.toDay(1);
    const upgrade = [{ priceId: await line.monthly(2_000) }];
    await line.adjust(upgrade, {}, AbortSignal.timeout(0));
    const apply = () => applyDiscount(line.fresh(), { id: line.id, discountId });
    await expect(apply()).rejects.toMatchObject(refused('id', /is being adjusted: wait/));
    await line.toDay(2);
    expect(await apply()).toMatchObject({ removedAt: null });
  });

  test('is released when it is removed before a payment, and counts after one', async ({
    session,
  }) => {
    const { id: discountId } = await aDiscount(session, { redemptionLimitPerCustomer: 1 });
    const line = await anAdjustable(session);
    const count = async () =>
      (await fresh(session).em.findOneOrFail(Discount, discountId)).redemptionCount;
    const apply = () => applyDiscount(line.fresh(), { id: line.id, discountId });
    await apply();
    expect(await count()).toBe(1);
    const removed = await removeDiscount(line.fresh(), { id: line.id });
    expect(removed).toMatchObject({ releasedAt: expect.any(Date), removedAt: expect.any(Date) });
    expect(await count()).toBe(0);
    await apply();
    await line.toDay(31);
    const used = await removeDiscount(line.fresh(), { id: line.id });
    expect(used).toMatchObject({ releasedAt: null, removedAt: expect.any(Date) });
    await expect(apply()).rejects.toMatchObject(
      refused(
        'discountId',
        /has been redeemed by this customer up to the limit for each, which is 1/,
      ),
    );
  });
});

describe('POST /subscriptions/{id}/apply-discount and remove-discount', () => {
  test('200 with the redemption; a dry run shows the next invoice and changes nothing', async ({
    session,
    api,
    graphql,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId, { default: true });
    const { id } = await aSubscription(session, { customerId });
    const { code } = await aDiscount(session, { amount: 12.5 });
    const path = (verb: string) => `/subscriptions/${id}/${verb}-discount`;
    const body = { discountCode: code };
    const headers = { prefer: 'dry-run' };
    const planned = await api('POST', path('apply'), body, { headers });
    expect(planned).toMatchObject({
      status: 200,
      body: { discountRedemption: { code, amount: 12.5, subscriptionId: id } },
    });
    const preview = await graphql(
      'mutation ($id: ID!, $code: String) { applyDiscount(id: $id, discountCode: $code) { upcomingInvoice { subtotal } } }',
      { id, code },
      { headers },
    );
    const listed = (await upcomingInvoice(fresh(session), id))?.invoice.subtotal ?? 0;
    expect(preview.data.applyDiscount.upcomingInvoice.subtotal).toBe(
      listed - Math.round(listed / 8),
    );
    expect(await fresh(session).em.count(DiscountRedemption, {})).toBe(0);
    expect(await api('POST', path('apply'), body)).toMatchObject({
      status: 200,
      body: { discountRedemption: { code, paymentCount: 0, removedAt: null, endsAt: null } },
    });
    expect(await api('POST', path('remove'), {})).toMatchObject({
      status: 200,
      body: { discountRedemption: { code, removedAt: expect.any(Number) } },
    });
    expect(await api('POST', path('remove'), {})).toMatchObject({ status: 400 });
  });
});

describe('the limit of a discount for each customer', () => {
  test('holds for a customer that subscribes 16 times at once, and for each other one', async ({
    session,
    api,
  }) => {
    await updateOrganization(fresh(session), {
      organization: { allowMultipleSubscriptionsPerCustomer: true },
    });
    const { id, code } = await aDiscount(session, { redemptionLimitPerCustomer: 3 });
    const { priceId } = await aSubscription(session, { unitPrice: 100 });
    const customers = [await aCustomer(session), await aCustomer(session)];
    const answers = await Promise.all(
      customers.flatMap(({ id: customerId }) =>
        Array.from({ length: 16 }, () =>
          api('POST', '/subscriptions', { customerId, priceId, discountCode: code }),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(answers.find(({ status }) => status === 400)?.body.issues).toEqual([
      {
        message: `discountCode: ${code} has been redeemed by this customer up to the limit for each, which is 3`,
      },
    ]);
    for (const { id: customer } of customers) {
      const counted = { discount: id, customer, releasedAt: null };
      expect(await fresh(session).em.count(DiscountRedemption, counted)).toBe(3);
    }
    // The database itself refuses a fourth place.
    await expect(
      fresh(session).em.execute(
        'update discount_redemption set customer_place = 4 where discount_id = ? and pricing_model_id = ?',
        [id, session.pricingModelId],
      ),
    ).rejects.toThrow(/discount_redemption_customer_limit|discount_redemption_place_unique/);
  });

  test('is stated where a checkout for the customer is opened', async ({ session, api }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    await aPaymentMethod(session, customerId, { default: true });
    const { code } = await aDiscount(session, { redemptionLimitPerCustomer: 1 });
    const { priceId } = await aSubscription(session, { customerId, discountCode: code });
    const checkoutSession = {
      type: 'product',
      customerExternalId: externalId,
      priceId,
      discountCode: code,
      successUrl: 'https://example.com/done',
      cancelUrl: 'https://example.com',
    };
    const answer = await api('POST', '/checkout-sessions', { checkoutSession });
    expect(answer.body.issues).toMatchObject([
      { message: expect.stringContaining('redeemed by this customer up to the limit') },
    ]);
  });
});

describe('the months of a discount', () => {
  test('count from the start of a new subscription, whatever its interval', async ({ session }) => {
    const months = { amount: 50, duration: 'number_of_months' as const, numberOfMonths: 3 };
    const { id: discountId } = await aDiscount(session, months);
    // The periods begin on January 1, March 2 and May 1; the months end on April 1.
    const line = await anAdjustable(session, { days: 60, discountId });
    await line.toDay(121);
    expect(await totalsOf(line)).toEqual([500, 500, 1_000]);
    const [redemption] = await line.fresh().em.find(DiscountRedemption, { subscription: line.id });
    expect(redemption).toMatchObject({
      endsAt: new Date('2026-04-01T00:00:00Z'),
      paymentCount: 2,
      remainingPayments: null,
    });
    const [first] = await line.invoices();
    expect((await explainInvoice(fresh(session), first?.id ?? '')).lines.at(-1)?.steps).toContain(
      'number_of_months: every billing period that begins before 2026-04-01T00:00:00.000Z',
    );
  });

  test('include a trial', async ({ session }) => {
    const months = { amount: 50, duration: 'number_of_months' as const, numberOfMonths: 2 };
    const { id: discountId } = await aDiscount(session, months);
    const line = await anAdjustable(session, { trialDays: 20, discountId });
    await line.toDay(81);
    expect(await totalsOf(line)).toEqual([500, 500, 1_000]);
  });
});
