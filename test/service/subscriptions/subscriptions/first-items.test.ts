import { describe, expect } from 'vitest';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { updateSubscriptionItem } from '#domain/subscriptions/commands/subscription-adjustments/update-subscription-item.ts';
import { refused, shown } from '../../../support/adjustments.ts';
import {
  aPaymentMethod,
  aPriceOf,
  aSubscription,
  aUsageMeter,
  aUsagePrice,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at } from '../../../support/time.ts';
import { fresh, subscriptionOf } from '../../../support/timeline.ts';

const linesOf = async (session: Session, subscription: string) => {
  const invoices = await fresh(session).em.find(
    Invoice,
    { subscription },
    { populate: ['lineItems'], orderBy: { createdAt: 'asc', position: 'asc' } },
  );
  return invoices.map(({ lineItems }) =>
    lineItems.getItems().map(({ description, amount }) => `${description}: ${amount}`),
  );
};

const subtotalsOf = async (session: Session, subscription: string) => {
  const orderBy = { createdAt: 'asc', position: 'asc' } as const;
  const invoices = await fresh(session).em.find(Invoice, { subscription }, { orderBy });
  return invoices.map(({ subtotal }) => subtotal);
};

const itemsOf = (session: Session, subscription: string) =>
  fresh(session).em.find(SubscriptionItem, { subscription }, { orderBy: { position: 'asc' } });

async function aPayer(session: Session) {
  const it = await aClockedCustomer(session, at('2026-01-15'));
  await aPaymentMethod(session, it.customer.id);
  return { ...it, customerId: it.customer.id };
}

describe('a subscription to several items', () => {
  test('charges each item by its price or its negotiated one, and is named after the dearest', async ({
    session,
  }) => {
    const it = await aPayer(session);
    const [seats, support] = [await aPriceOf(session, {}), await aPriceOf(session, {})];
    const { id } = await aSubscription(session, {
      customerId: it.customerId,
      priceId: null,
      items: [
        { priceId: support, unitPrice: 700, name: 'Support', externalId: 'crm-1' },
        { priceId: seats, quantity: 3, unitPrice: 900, metadata: { team: 'core' } },
      ],
    });
    expect(await subscriptionOf(session, id)).toMatchObject({ priceId: seats, status: 'active' });
    expect(await itemsOf(session, id)).toMatchObject([
      { name: 'Support', unitPrice: 700, quantity: 1, externalId: 'crm-1' },
      { name: 'Pro', unitPrice: 900, quantity: 3, metadata: { team: 'core' } },
    ]);
    expect(await linesOf(session, id)).toEqual([['Support: 700', 'Pro: 2700']]);
    await advance(session, it, at('2026-02-20'));
    expect(await linesOf(session, id)).toHaveLength(2);
  });

  test('is refused with the field of the item', async ({ session }) => {
    const { customerId } = await aPayer(session);
    const [month, year] = [
      await aPriceOf(session, {}),
      await aPriceOf(session, { intervalUnit: 'year', unitPrice: 1 }),
    ];
    const euro = await aPriceOf(session, { currency: 'EUR', unitPrice: 1 });
    const { id: usage } = await aUsagePrice(session, (await aUsageMeter(session)).id);
    const subscribe = (items: object[], more = {}) =>
      aSubscription(session, { customerId, priceId: null, items, ...more } as never);
    await expect(subscribe([{ priceId: month }, { priceId: 'price_none' }])).rejects.toMatchObject(
      refused('items.1.priceId', /Unknown price/),
    );
    await expect(subscribe([{ priceId: month }, { priceId: year }])).rejects.toMatchObject(
      refused('items.1.priceId', /renews every 1 year/),
    );
    await expect(subscribe([{ priceId: month }, { priceId: euro }])).rejects.toMatchObject(
      refused('items.1.priceId', /is in EUR/),
    );
    await expect(subscribe([{ priceId: usage }])).rejects.toMatchObject(
      refused('items.0.priceId', /use a subscription price/),
    );
    const both = { interval: 'month' as const };
    const { id } = await subscribe([{ priceId: month }, { priceId: year }], both);
    expect(shown(await itemsOf(session, id))).toEqual(['1000×1', '1×1']);
  });
});

describe('a discount of an item', () => {
  test('reduces its amount on each invoice, is prorated, and ends where it is removed', async ({
    session,
  }) => {
    const it = await aPayer(session);
    const [seats, support] = [await aPriceOf(session, {}), await aPriceOf(session, {})];
    const { id } = await aSubscription(session, {
      customerId: it.customerId,
      priceId: null,
      items: [{ priceId: seats, quantity: 3, discountPercentage: '12.5' }, { priceId: support }],
    });
    // 3 × 1000 less 375, and 1000. The middle of the period charges 7/8 of half of 1000.
    await advance(session, it, new Date('2026-01-30T22:00:00Z'));
    const [item] = await itemsOf(session, id);
    const of = (subscriptionItem: object) =>
      updateSubscriptionItem(fresh(session), {
        id: item?.id ?? '',
        timing: 'immediately',
        subscriptionItem,
      });
    await of({ quantity: 4 });
    expect(await subtotalsOf(session, id)).toEqual([3_625, 438]);
    expect((await itemsOf(session, id))[0]?.pricing).toEqual({
      model: 'per_unit',
      discount: '12.5',
    });
    // Without the discount a period costs 500 more.
    await of({ discountPercentage: null });
    expect(await subtotalsOf(session, id)).toEqual([3_625, 438, 250]);
    expect((await itemsOf(session, id))[0]?.pricing).toBeNull();
    for (const invoice of await fresh(session).em.find(Invoice, { subscription: id })) {
      const { differences } = await explainInvoice(fresh(session), invoice.id);
      expect(differences).toEqual([]);
    }
  });

  test.for(['0', '100', '-1', '12.34567'])(
    'is refused when it is %s',
    async (discount, { graphql, session }) => {
      const { customerId } = await aPayer(session);
      const { errors } = await graphql(
        `mutation ($customerId: ID!, $items: [SubscriptionItemInput!]!) {
        createSubscription(customerId: $customerId, items: $items) { subscription { id } }
      }`,
        {
          customerId,
          items: [{ priceId: await aPriceOf(session, {}), discountPercentage: discount }],
        },
      );
      expect(JSON.stringify(errors)).toMatch(/must be above 0 and below 100/);
    },
  );
});

describe('one item', () => {
  test('changes its quantity with proration, and the others stay', async ({ session }) => {
    const it = await aPayer(session);
    const [seats, support] = [await aPriceOf(session, {}), await aPriceOf(session, {})];
    const { id } = await aSubscription(session, {
      customerId: it.customerId,
      priceId: null,
      items: [
        { priceId: seats, quantity: 2 },
        { priceId: support, unitPrice: 500 },
      ],
    });
    await advance(session, it, new Date('2026-01-30T22:00:00Z'));
    const [item, other] = await itemsOf(session, id);
    const change = { quantity: 4 };
    const { resolvedTiming } = await updateSubscriptionItem(fresh(session), {
      id: item?.id ?? '',
      subscriptionItem: change,
    });
    expect(resolvedTiming).toBe('immediately');
    expect(await itemsOf(session, id)).toMatchObject([
      { id: item?.id, quantity: 4, expiredAt: null },
      { id: other?.id, quantity: 1, unitPrice: 500, expiredAt: null },
    ]);
    // Half of the period is left, and 2 more seats cost 2000 in a whole one.
    const [, [adjusted] = []] = await linesOf(session, id);
    expect(adjusted).toMatch(/: 1000$/);
  });

  test('changes its name at once, and refuses what is not a current item', async ({ session }) => {
    const it = await aPayer(session);
    const { id } = await aSubscription(session, { customerId: it.customerId });
    const [item] = await itemsOf(session, id);
    const of = (subscriptionItem: object) =>
      updateSubscriptionItem(fresh(session), { id: item?.id ?? '', subscriptionItem });
    const { resolvedTiming } = await of({ name: 'Seats of Berlin' });
    expect(resolvedTiming).toBe('immediately');
    expect(await itemsOf(session, id)).toMatchObject([{ name: 'Seats of Berlin' }]);
    await expect(of({ priceSlug: 'none' })).rejects.toMatchObject(
      refused('subscriptionItem.priceSlug', /Unknown price/),
    );
    const replacement = await aPriceOf(session, { unitPrice: 5_000 });
    await of({ priceId: replacement });
    expect(await subscriptionOf(session, id)).toMatchObject({ priceId: replacement });
  });
});
