import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { createCheckoutSession } from '#domain/money/commands/checkout-sessions/create-checkout-session.ts';
import { readCheckout } from '#domain/money/commands/checkout-sessions/read-checkout.ts';
import { submitCheckout } from '#domain/money/commands/checkout-sessions/submit-checkout.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { previewAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/preview-adjustment.ts';
import { aDiscount } from '../../../support/discounts.ts';
import { aPriceOf, aSubscription, fresh } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { addresses } from '../../../support/screen/checkout.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at } from '../../../support/time.ts';
import { periodsOf, subscriptionsOf } from '../../../support/timeline.ts';

const form = {
  ...{ line1: '', line2: '', city: '', state: '', postal_code: '', country: '', tax_id: '' },
  ...{ email: 'ada@example.com', name: 'Ada', token: 'sandbox_success', type: 'card' as const },
};

/** A customer whose free plan has had half of its period, from 2026-03-02 to 2026-04-02, as 31 days. */
async function halfway(session: Session) {
  const clocked = await aClockedCustomer(session, at('2026-03-02'));
  await advance(session, clocked, new Date('2026-03-17T22:00:00Z'));
  return clocked;
}

async function buy(session: Session, { customer }: { customer: Customer }, fields: object) {
  const checkout = await createCheckoutSession(fresh(session), {
    checkoutSession: {
      type: 'product',
      customerExternalId: customer.externalId,
      preserveBillingCycleAnchor: true,
      ...addresses,
      ...fields,
    },
  });
  const { summary } = await readCheckout(fresh(session), checkout);
  await submitCheckout(fresh(session), checkout.id, form);
  const paid = (await subscriptionsOf(session, customer.id)).find(({ isFreePlan }) => !isFreePlan);
  const [period] = await periodsOf(session, paid?.id ?? '');
  return { summary, subscription: paid, period };
}

const totalsOf = async (session: Session, customer: string) => {
  const order = { orderBy: { position: 'asc' } } as const;
  const invoices = await fresh(session).em.find(Invoice, { customer }, order);
  return invoices.map(({ status, total }) => `${status} ${total}`);
};

describe('a subscription that keeps the billing cycle of the free plan', () => {
  test('pays the rest of its period, and an adjustment costs the difference for what is left', async ({
    session,
  }) => {
    const clocked = await halfway(session);
    const { id: customerId } = clocked.customer;
    const priceId = await aPriceOf(session, { unitPrice: 3_001 });
    const { summary, subscription, period } = await buy(session, clocked, { priceId });
    expect(summary?.schedule.map(({ count, amounts }) => [count, amounts.total])).toEqual([
      [1, 1_501],
      [null, 3_001],
    ]);
    expect(subscription).toMatchObject({
      status: 'active',
      billingCycleAnchorDate: at('2026-03-02'),
      currentBillingPeriodStart: at('2026-03-02'),
      currentBillingPeriodEnd: at('2026-04-02'),
    });
    expect(period?.items.getItems()).toMatchObject([
      {
        name: 'Prorated: Pro',
        quantity: 1,
        unitPrice: 1_501,
        description: 'Prorated charge for 50.0 % of billing period (2026-03-02 to 2026-04-02)',
      },
    ]);
    const id = subscription?.id ?? '';
    const dearer = await aPriceOf(session, { unitPrice: 6_001 });
    const adjustment = {
      timing: 'immediately' as const,
      newSubscriptionItems: [{ priceId: dearer, quantity: 1 }],
    };
    const preview = await previewAdjustment(fresh(session), { id, adjustment });
    // 30 dollars more for half of the period.
    expect(preview.amountDue).toBe(1_500);
    await adjustSubscription(fresh(session), { id, adjustment });
    await advance(session, clocked, at('2026-04-02'));
    expect(await totalsOf(session, customerId)).toEqual(['paid 1501', 'paid 1500', 'paid 6001']);
    await expectMoneyToAgree(session);
  });

  test('uses a discount of an amount once, and credits no more than was paid', async ({
    session,
    graphql,
  }) => {
    await graphql(
      'mutation { updateOrganization(organization: { prorationCredit: balance }) { organization { id } } }',
    );
    const clocked = await halfway(session);
    const priceId = await aPriceOf(session, { unitPrice: 3_000 });
    const terms = { amountType: 'fixed', amount: 1_000, duration: 'once' } as const;
    const { id: discountId } = await aDiscount(session, terms);
    const { summary, subscription } = await buy(session, clocked, { priceId, discountId });
    expect(summary?.schedule.map(({ amounts }) => amounts.total)).toEqual([500, 3_000]);
    const id = subscription?.id ?? '';
    const cheaper = await aPriceOf(session, { unitPrice: 100 });
    const newSubscriptionItems = [{ priceId: cheaper, quantity: 1 }];
    await adjustSubscription(fresh(session), {
      id,
      adjustment: { timing: 'immediately', newSubscriptionItems },
    });
    const customer = await fresh(session).em.findOneOrFail(Customer, clocked.customer.id);
    expect(customer.creditBalance).toBe(500);
    await expectMoneyToAgree(session);
  });

  test('has a period of its own length: a year after half a month costs the rest of the year', async ({
    session,
  }) => {
    const clocked = await halfway(session);
    const priceId = await aPriceOf(session, { unitPrice: 36_500, intervalUnit: 'year' });
    const { subscription } = await buy(session, clocked, { priceId, quantity: 2 });
    expect(subscription?.currentBillingPeriodEnd).toEqual(at('2027-03-02'));
    expect(await totalsOf(session, clocked.customer.id)).toEqual(['paid 69900']);
  });

  test('may have waited for its activation', async ({ session }) => {
    const clocked = await halfway(session);
    const { id: customerId, externalId } = clocked.customer;
    const { id: targetSubscriptionId } = await aSubscription(fresh(session), {
      customerId,
      unitPrice: 3_000,
    });
    const checkout = await createCheckoutSession(fresh(session), {
      checkoutSession: {
        type: 'activate_subscription',
        customerExternalId: externalId,
        targetSubscriptionId,
        preserveBillingCycleAnchor: true,
        ...addresses,
      },
    });
    const { summary } = await readCheckout(fresh(session), checkout);
    expect(summary?.amounts.total).toBe(1_500);
    await submitCheckout(fresh(session), checkout.id, form);
    expect(await totalsOf(session, customerId)).toEqual(['paid 1500']);
    await advance(session, clocked, at('2026-04-02'));
    expect(await totalsOf(session, customerId)).toEqual(['paid 1500', 'paid 3000']);
  });
});
