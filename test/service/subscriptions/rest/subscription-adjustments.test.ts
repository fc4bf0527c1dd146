// @module-tag long
import { describe, expect } from 'vitest';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { featureItemsOf } from '#domain/subscriptions/entitlement/feature-items.ts';
import { agreedBy, anAdjustable } from '../../../support/adjustments.ts';
import {
  aCustomer,
  aOneTimeProduct,
  aPriceOf,
  aPricingModel,
  aProduct,
  aSubscription,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { aKey } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});
const endOfPeriod = 'at_end_of_current_billing_period';

describe('POST /subscriptions/{id}/adjust', () => {
  test('200 with the documented answer, by a terse item', async ({ api, session }) => {
    const it = await anAdjustable(session);
    await it.toDay(15);
    const priceId = await it.monthly(2_000);
    const adjustment = { timing: 'auto', newSubscriptionItems: [{ priceId }] };
    const { status, body } = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
    expect(status).toBe(200);
    expect(body).toEqual({
      subscription: (await api('GET', `/subscriptions/${it.id}`)).body.subscription,
      subscriptionItems: [
        {
          id: expect.stringMatching(/^si_/),
          createdAt: it.day(15).getTime(),
          updatedAt: it.day(15).getTime(),
          livemode: false,
          subscriptionId: it.id,
          name: 'Pro',
          addedDate: it.day(15).getTime(),
          priceId,
          unitPrice: 2_000,
          quantity: 1,
          type: 'static',
          externalId: null,
          manuallyCreated: false,
          pricingModelId: session.pricingModelId,
          metadata: null,
          expiredAt: null,
        },
      ],
      resolvedTiming: 'immediately',
      isUpgrade: true,
    });
  });

  test('200 for what is scheduled, with the items that hold until then', async ({
    api,
    session,
  }) => {
    const it = await anAdjustable(session);
    const items = [{ priceId: await it.monthly(500) }];
    for (const timing of [endOfPeriod, 'auto']) {
      const adjustment = { timing, newSubscriptionItems: items };
      const { status, body } = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          resolvedTiming: endOfPeriod,
          isUpgrade: false,
          subscription: { scheduledAdjustmentAt: it.day(30).getTime() },
          subscriptionItems: [{ unitPrice: 1_000, expiredAt: it.day(30).getTime() }],
        },
      });
      await it.cancelScheduled();
    }
  });

  test('200 for every form of an item at once', async ({ api, session }) => {
    const it = await anAdjustable(session);
    const listed = await api('GET', `/subscription-items?subscriptionId=${it.id}`);
    const record = listed.body.data[0];
    const [priceId, slugged] = [await it.monthly(10), await it.monthly(20)];
    const { id: _, unitPrice: __, ...insert } = { ...record, quantity: 2 };
    const slug = (await api('GET', `/prices/${slugged}`)).body.price.slug;
    const adjustment = {
      timing: 'immediately',
      prorateCurrentBillingPeriod: false,
      newSubscriptionItems: [
        { ...record, quantity: '3', name: 'Mine', externalId: 'mine', metadata: { a: 1 } },
        { ...insert, priceId, unitPrice: 7, name: 'Insert' },
        { ...insert, priceId: null, priceSlug: slug ?? slugged, unitPrice: 0, name: 'By slug' },
        { priceSlug: slugged, quantity: 4 },
        { priceId },
        { ...insert, priceId: null, unitPrice: 5, name: 'By hand' },
      ],
    };
    const { body } = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
    const items = body.subscriptionItems as Record<string, unknown>[];
    const shown = items.map(({ name, unitPrice, quantity }) => `${name} ${unitPrice}×${quantity}`);
    expect(shown.sort()).toEqual([
      'By slug 0×2',
      'Insert 7×2',
      'Mine 1000×3',
      'Pro 10×1',
      'Pro 20×4',
    ]);
    expect(items).toContainEqual({
      ...record,
      updatedAt: expect.any(Number),
      quantity: 3,
      name: 'Mine',
      externalId: 'mine',
      metadata: { a: 1 },
    });
  });

  test('200 for a record, which takes back with null what absence keeps, as a mutation does', async ({
    api,
    graphql,
    session,
  }) => {
    const it = await anAdjustable(session);
    const [item] = await it.items();
    // One item of the plan stays.
    const other = { priceId: await it.monthly(5) };
    const given = { externalId: 'x', metadata: { a: 1 }, expiredAt: it.day(20).getTime() };
    const none = { externalId: null, metadata: null, expiredAt: null };
    const overRest = async (fields: object) => {
      const adjustment = {
        timing: 'immediately',
        newSubscriptionItems: [{ id: item?.id, priceId: null, quantity: null, ...fields }, other],
      };
      const { body } = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
      return body.subscriptionItems.find(({ id }: { id: string }) => id === item?.id);
    };
    const overGraphql = async (fields: object) => {
      const { data } = await graphql(
        `mutation ($id: ID!, $items: [AdjustmentItemInput!]!) {
          adjustSubscription(id: $id, adjustment: { timing: immediately, newSubscriptionItems: $items }) {
            subscriptionItems { id externalId metadata expiredAt quantity priceId }
          }
        }`,
        { id: it.id, items: [{ id: item?.id, ...fields }, other] },
      );
      const { subscriptionItems } = data.adjustSubscription;
      return subscriptionItems.find(({ id }: { id: string }) => id === item?.id);
    };
    const rest = { quantity: 1, priceId: item?.priceId };
    for (const adjusts of [overRest, overGraphql]) {
      expect(await adjusts(given)).toMatchObject({ ...rest, ...given });
      expect(await adjusts({})).toMatchObject({ ...rest, ...given });
      expect(await adjusts(none)).toMatchObject({ ...rest, ...none });
    }
  });

  test.for([
    ['adjustment: is required', () => ({})],
    [
      'adjustment.timing: must be one of',
      () => ({ adjustment: { timing: 'never', newSubscriptionItems: [] } }),
    ],
    ['adjustment.newSubscriptionItems: is required', () => ({ adjustment: { timing: 'auto' } })],
    [
      'adjustment.newSubscriptionItems: must have an item of the plan',
      () => ({ adjustment: { timing: 'auto', newSubscriptionItems: [] } }),
    ],
  ] as const)('400 for %s', async ([text, body], { api, session }) => {
    const it = await anAdjustable(session);
    expect(await api('POST', `/subscriptions/${it.id}/adjust`, body())).toMatchObject(issue(text));
  });

  test.for([
    ['id: si_x is not a current item', { id: 'si_x' }],
    ['priceId: Unknown price price_x', { priceId: 'price_x' }],
    ['priceSlug: Unknown price x', { priceSlug: 'x' }],
    ['priceId: give either priceId or priceSlug', { priceId: 'price_x', priceSlug: 'x' }],
    ['priceId: give either priceId or priceSlug', {}],
    ['quantity: must be 1 or more, and is 0', { own: true, quantity: 0 }],
    ['quantity: must be 1 or more, and is -1', { own: true, quantity: -1 }],
    ['quantity: must be a whole number', { own: true, quantity: 1.5 }],
    ['unitPrice: must be 0 or more, and is -1', { own: true, unitPrice: -1 }],
    ['unitPrice: must be a whole number', { own: true, unitPrice: 0.5 }],
    ['subscriptionId: must be sub_', { own: true, subscriptionId: 'sub_x' }],
    ['expiredAt: must be after 2026-01-01', { own: true, expiredAt: 1 }],
    ['metadata: must be at most', { own: true, metadata: { a: ['x'.repeat(8_192)] } }],
    ['type: must be one of', { own: true, type: 'usage' }],
  ] as const)(
    '400 for an item with %s, and nothing is written',
    async ([text, wrong], { api, session }) => {
      const it = await anAdjustable(session);
      const priceId = await it.monthly(2_000);
      const { own, ...fields } = { own: false, ...wrong };
      const before = await agreedBy(session, it.customer.id);
      const item = own ? { priceId, ...fields } : fields;
      const adjustment = { timing: 'immediately', newSubscriptionItems: [{ priceId }, item] };
      expect(await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment })).toMatchObject(
        issue(`adjustment.newSubscriptionItems.1.${text}`),
      );
      expect(await agreedBy(session, it.customer.id)).toEqual(before);
      expect(await it.charges()).toHaveLength(1);
    },
  );

  test('400 for items and prices of others or of the past, and for prices that do not recur', async ({
    api,
    session,
  }) => {
    const [it, other] = [await anAdjustable(session), await anAdjustable(session)];
    const sibling = await aPriceOf(await aPricingModel(session), { unitPrice: 1 });
    const [foreign] = await other.items();
    const once = (await (await aOneTimeProduct(session)).prices.loadItems())[0]?.id;
    const own = await it.monthly(10);
    const { em } = it.fresh();
    const slugged = 'update price set slug = ?, active = ?, is_default = ? where id = ?';
    await em.execute(slugged, ['of-another-model', true, true, sibling]);
    await em.execute(slugged, ['archived', false, false, await it.monthly(20)]);
    const [former] = await it.items();
    await it.adjust([{ priceId: own }], { prorateCurrentBillingPeriod: false });
    const wrong: [object, string][] = [
      [{ id: former?.id }, `0.id: ${former?.id} is not a current item`],
      [
        { priceSlug: 'of-another-model' },
        '0.priceSlug: Unknown price of-another-model: it is of the pricing model',
      ],
      [{ priceSlug: 'archived' }, '0.priceSlug: archived is retired'],
      [{ id: foreign?.id }, '0.id: si_'],
      [{ priceId: sibling }, '0.priceId: Unknown price price_'],
      [{ priceSlug: sibling }, '0.priceSlug: Unknown price price_'],
      [{ priceId: once }, '0.priceId: price_'],
      [{ priceId: own, quantity: 2 ** 52 }, 'adjustment.newSubscriptionItems: amount to more'],
    ];
    for (const [item, text] of wrong) {
      const adjustment = { timing: 'immediately', newSubscriptionItems: [item] };
      const answer = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
      expect(answer).toMatchObject(issue(text));
    }
  });

  test('400 for a declined payment, with its code', async ({ api, session }) => {
    const it = await anAdjustable(session);
    await it.pays('sandbox_decline_insufficient_funds', { default: true });
    const adjustment = {
      timing: 'immediately',
      newSubscriptionItems: [{ priceId: await it.monthly(2_000) }],
    };
    const answer = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
    expect(answer).toMatchObject({
      ...issue('could not be paid: insufficient_funds'),
      body: { message: expect.stringContaining('insufficient_funds') },
    });
  });

  test('400 for what cannot be adjusted, which a preview tells as its reason', async ({
    api,
    session,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const customer = await aCustomer(session);
    const free = (await api('GET', '/subscriptions')).body.data[0].id;
    const given = await aSubscription(session, { doNotCharge: true });
    const waiting = await aSubscription(session, { customerId: customer.id });
    const ended = await aSubscription(session, { doNotCharge: true });
    await cancelSubscription(fresh(session), {
      id: ended.id,
      cancellation: { timing: 'immediately' },
    });
    const ending = await anAdjustable(session);
    await cancelSubscription(ending.fresh(), {
      id: ending.id,
      cancellation: { timing: endOfPeriod },
    });
    const idle = await aCustomer(session);
    const { id: plan } = await fresh(session).em.findOneOrFail(Subscription, { customer: idle.id });
    const [credited, endless] = [await anAdjustable(session), await anAdjustable(session)];
    const { em } = credited.fresh();
    await em.execute(`update subscription set status = 'credit_trial' where id = ?`, [credited.id]);
    await em.execute(
      `update subscription set renews = false, "interval" = null, interval_count = null,
         billing_cycle_anchor_date = null, current_billing_period_start = null,
         current_billing_period_end = null, transition_due_at = null where id = ?`,
      [endless.id],
    );
    const broke = await anAdjustable(session);
    await broke
      .fresh()
      .em.execute(
        'update payment_method set detached_at = now(), "default" = false where customer_id = ?',
        [broke.customer.id],
      );
    const adjustment = { timing: 'immediately', newSubscriptionItems: [{ priceId }] };
    const refusals: [string, string][] = [
      [ended.id, 'is canceled, which is final'],
      [free, 'is a free plan'],
      [credited.id, 'is a credit trial'],
      [endless.id, 'does not renew'],
      [plan, 'is a free plan: subscribe to a paid one instead'],
      [given.id, 'has doNotCharge set'],
      [waiting.id, 'has no current billing period'],
      [ending.id, 'has a scheduled cancellation'],
      [broke.id, 'has no payment method'],
    ];
    for (const [id, text] of refusals) {
      const answer = await api('POST', `/subscriptions/${id}/adjust`, { adjustment });
      expect(answer, text).toMatchObject(issue(text));
      const preview = await api('POST', `/subscriptions/${id}/preview-adjust`, { adjustment });
      expect(preview, text).toEqual({
        status: 200,
        headers: expect.anything(),
        body: {
          canAdjust: false,
          reason: expect.stringContaining(text),
          previewGeneratedAt: expect.any(Number),
        },
      });
    }
  });

  test.for(['immediately', 'at_end_of_current_billing_period', 'auto'])(
    'a plan keeps an item, whatever the adjustment (%s)',
    async (timing, { api, session }) => {
      const it = await anAdjustable(session);
      const [item] = await it.items();
      const byHand = { name: 'By hand', unitPrice: 0, quantity: 1, manuallyCreated: true };
      for (const newSubscriptionItems of [[], [byHand]]) {
        const adjustment = { timing, newSubscriptionItems };
        const answer = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
        expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
        const preview = await api('POST', `/subscriptions/${it.id}/preview-adjust`, { adjustment });
        expect(preview.body).toMatchObject({ canAdjust: false, reason: expect.any(String) });
      }
      expect(await it.items()).toMatchObject([{ id: item?.id, expiredAt: null }]);
    },
  );

  test('a manual item stays, and what the plan brings of it does not', async ({ api, session }) => {
    const it = await anAdjustable(session);
    const [sso, extra] = [await aToggle(session), await aToggle(session)];
    for (const { id: featureId } of [sso, extra]) {
      await addFeatureToSubscription(it.fresh(), { id: it.id, featureId });
    }
    const product = await aProduct(session, { name: 'With SSO', featureIds: [sso.id] });
    const priceId = (await product.prices.loadItems())[0]?.id;
    const items = { newSubscriptionItems: [{ priceId }], prorateCurrentBillingPeriod: false };
    const adjustment = { timing: 'immediately', ...items };
    const { body } = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment });
    const names = body.subscriptionItems.map((item: { name: string }) => item.name);
    expect(names.sort()).toEqual(['Manual Features', 'With SSO']);
    const granted = (await featureItemsOf(it.fresh(), [await it.current()])).map((feature) => [
      feature.featureId,
      feature.manuallyCreated,
    ]);
    expect(granted).toEqual(
      expect.arrayContaining([
        [sso.id, false],
        [extra.id, true],
      ]),
    );
    expect(granted).toHaveLength(2);
  });
});

describe('POST /subscriptions/{id}/preview-adjust', () => {
  test('200 with the documented answer, and nothing is changed', async ({ api, session }) => {
    const it = await anAdjustable(session);
    await it.toDay(15);
    const priceId = await it.monthly(2_000);
    const before = await agreedBy(session, it.customer.id);
    const adjustment = { timing: 'immediately', newSubscriptionItems: [{ priceId, quantity: 2 }] };
    const { status, body } = await api('POST', `/subscriptions/${it.id}/preview-adjust`, {
      adjustment,
    });
    const item = { name: 'Pro', quantity: 1 };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        canAdjust: true,
        previewGeneratedAt: it.day(15).getTime(),
        prorationAmount: 1_500,
        currentPlanTotal: 1_000,
        newPlanTotal: 4_000,
        resolvedTiming: 'immediately',
        effectiveDate: it.day(15).getTime(),
        isUpgrade: true,
        percentThroughBillingPeriod: 0.5,
        billingPeriodEnd: it.day(30).getTime(),
        paymentMethod: {
          id: expect.stringMatching(/^pm_/),
          type: 'card',
          last4: '4242',
          brand: 'sandbox',
        },
        currentSubscriptionItems: [{ ...item, unitPrice: 1_000, priceId: expect.any(String) }],
        newSubscriptionItems: [{ ...item, quantity: 2, unitPrice: 2_000, priceId }],
      },
    });
    expect(await agreedBy(session, it.customer.id)).toEqual(before);
    expect(await it.invoices()).toHaveLength(1);
  });

  test('200 for a downgrade, at the end of the period', async ({ api, session }) => {
    const it = await anAdjustable(session);
    const cheaper = { priceId: await it.monthly(1) };
    const adjustment = { timing: 'auto', newSubscriptionItems: [cheaper] };
    expect(
      await api('POST', `/subscriptions/${it.id}/preview-adjust`, { adjustment }),
    ).toMatchObject({
      status: 200,
      body: {
        canAdjust: true,
        prorationAmount: 0,
        resolvedTiming: endOfPeriod,
        effectiveDate: it.day(30).getTime(),
        percentThroughBillingPeriod: 1,
      },
    });
  });
});

describe('POST /subscriptions/{id}/cancel-scheduled-adjustment', () => {
  test('200 with how many items do not begin', async ({ api, session }) => {
    const it = await anAdjustable(session);
    await it.adjust([{ priceId: await it.monthly(1) }, { priceId: await it.monthly(2) }], {
      timing: 'auto',
    });
    const path = `/subscriptions/${it.id}/cancel-scheduled-adjustment`;
    expect(await api('POST', path, {})).toMatchObject({
      status: 200,
      body: { canceledItemCount: 2, subscription: { id: it.id, scheduledAdjustmentAt: null } },
    });
    expect(await api('POST', path, {})).toMatchObject(issue('has no scheduled adjustment'));
  });
});

const paths = ['adjust', 'preview-adjust', 'cancel-scheduled-adjustment'] as const;

describe.each(paths)('POST /subscriptions/{id}/%s', (path) => {
  const adjustment = { timing: 'auto', newSubscriptionItems: [] };

  test('404 for an unknown subscription', async ({ api }) => {
    const body = path === 'cancel-scheduled-adjustment' ? {} : { adjustment };
    expect(await api('POST', `/subscriptions/sub_x/${path}`, body)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Subscription sub_x not found', issues: [] },
    });
  });

  test('401 without a key, 403 for a publishable one', async ({ api, session }) => {
    const url = `/subscriptions/sub_x/${path}`;
    expect(await api('POST', url, { adjustment }, { key: null })).toMatchObject({ status: 401 });
    const key = await aKey(session, 'publishable');
    expect(await api('POST', url, { adjustment }, { key })).toMatchObject({ status: 403 });
  });
});
