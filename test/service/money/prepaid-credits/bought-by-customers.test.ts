// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { isOffered, type PrepaidOffer } from '#domain/model/platform/prepaid-offer.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { prepaidOffersInput } from '#domain/platform/commands/organizations/prepaid-offer-input.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aCustomer, aPaymentMethod } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { creditsOf } from '../../../support/prepaid.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test as base, graphqlOf } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';

const test = base
  .extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
    onCleanup(() => expectMoneyToAgree(session));
  })
  .extend('buyer', ({ gateway, session }) => async (customerId: string) => {
    const scopes = ['read', 'payments_write'] as const;
    const { token } = await createCustomerToken(fresh(session), {
      customer: customerId,
      scopes: [...scopes],
    });
    const graphql = graphqlOf(gateway, token);
    return async (prepaidCredit: object, key?: string, of = customerId) => {
      const options = key ? { headers: { 'idempotency-key': key } } : {};
      const variables = { prepaidCredit: { customerId: of, ...prepaidCredit } };
      const { data, errors } = await graphql(buy, variables, options);
      const [error] = errors ?? [];
      return {
        bought: data?.buyPrepaidCredit?.prepaidCredit,
        code: error?.extensions.code,
        issues: issuesOf(error),
      };
    };
  });

const buy = `mutation($prepaidCredit: BuyPrepaidCreditInput!) { buyPrepaidCredit(prepaidCredit: $prepaidCredit) { prepaidCredit {
  id status source boughtByCustomer validDays expiresAt
  invoice { id status paymentActionUrl paymentsPage { nodes { failureMessage } } } } } }`;

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
const issuesOf = (error: any) =>
  error?.extensions.issues?.map(
    ({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`,
  );

const usual = { currency: 'USD', amounts: [2_000, 5_000], minimum: 500, maximum: 1_500 };

async function offering(session: Session, ...offers: readonly object[]) {
  const prepaidOffers = prepaidOffersInput.parse(offers);
  const organization = { customersMayBuyCredit: true, prepaidOffers };
  await updateOrganization(fresh(session), { organization });
}

async function aBuyer(session: Session, token = 'sandbox_success') {
  const customer = await aCustomer(session);
  await aPaymentMethod(session, customer.id, { token, default: true } as never);
  return customer;
}

const chargesOf = ({ em, organizationId }: Session) => em.find(SandboxCharge, { organizationId });

describe('a customer token', () => {
  test('buys what is offered, charged to the saved payment method and granted at once', async ({
    session,
    buyer,
  }) => {
    await offering(session, { ...usual, validDays: 30 });
    const { id } = await aBuyer(session);
    const purchase = await buyer(id);
    for (const amount of [5_000, 500, 1_500]) {
      const { bought, issues } = await purchase({ amount });
      expect(issues).toBeUndefined();
      expect(bought).toMatchObject({
        ...{ status: 'active', source: 'purchase', boughtByCustomer: true, validDays: 30 },
        invoice: { status: 'paid', paymentActionUrl: null },
      });
      expect(bought.expiresAt).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    }
    expect(await creditsOf(session, id)).toEqual([
      'purchase 5000: 5000 left',
      'purchase 500: 500 left',
      'purchase 1500: 1500 left',
    ]);
  });

  test('buys nothing unless the organization permits it, which needs an offer', async ({
    session,
    buyer,
    graphql,
  }) => {
    const { id } = await aBuyer(session);
    const purchase = await buyer(id);
    expect(await purchase({ amount: 5_000 })).toMatchObject({ code: 'FORBIDDEN' });
    const permit =
      'mutation { updateOrganization(organization: { customersMayBuyCredit: true }) { organization { id } } }';
    const [error] = (await graphql(permit)).errors;
    expect(issuesOf(error)).toEqual(['REQUIRED organization.prepaidOffers']);
    await offering(session, usual);
    const removed = { organization: { prepaidOffers: [] } };
    await expect(updateOrganization(fresh(session), removed)).rejects.toMatchObject({
      issues: [{ code: 'REQUIRED', path: ['organization', 'prepaidOffers'] }],
    });
    const off = { organization: { customersMayBuyCredit: false } };
    await updateOrganization(fresh(session), off);
    expect(await purchase({ amount: 5_000 })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await creditsOf(session, id)).toEqual([]);
  });

  test('is refused with the field of an amount, a currency or a payment method', async ({
    session,
    buyer,
  }) => {
    await offering(session, usual, { currency: 'EUR', amounts: [1_000] });
    const { id } = await aBuyer(session);
    const purchase = await buyer(id);
    for (const amount of [499, 1_501, 1_999, 5_001])
      expect((await purchase({ amount })).issues).toEqual(['OUT_OF_RANGE prepaidCredit.amount']);
    for (const amount of [0, -500, 10 ** 14])
      expect((await purchase({ amount })).issues).toEqual(['OUT_OF_RANGE prepaidCredit.amount']);
    expect((await purchase({ amount: 5_000, currency: 'CHF' })).issues).toEqual([
      'MISMATCH prepaidCredit.currency',
    ]);
    expect((await purchase({ amount: 500 })).issues).toBeUndefined();
    // The first invoice has fixed the currency of the customer.
    expect((await purchase({ amount: 1_000, currency: 'EUR' })).issues).toEqual([
      'MISMATCH prepaidCredit.currency',
    ]);
    const poor = await aCustomer(session);
    expect((await (await buyer(poor.id))({ amount: 500 })).issues).toEqual([
      'PAYMENT_METHOD_REQUIRED prepaidCredit.paymentMethodId',
    ]);
    expect(await creditsOf(session, poor.id)).toEqual([]);
  });

  test('buys for its own customer only, with its own payment method', async ({
    session,
    buyer,
    database,
  }) => {
    await offering(session, usual);
    const [ada, eve] = [await aBuyer(session), await aBuyer(session)];
    const { session: elsewhere } = await aTenant(database.orm.em);
    await offering(elsewhere, usual);
    const stranger = await aBuyer(elsewhere);
    const purchase = await buyer(ada.id);
    for (const { id } of [eve, stranger]) {
      const refused = await purchase({ amount: 500 }, undefined, id);
      expect(refused).toMatchObject({ bought: undefined, code: 'NOT_FOUND' });
      expect(await creditsOf(id === eve.id ? session : elsewhere, id)).toEqual([]);
    }
    const theirs = await aPaymentMethod(session, eve.id);
    const refused = await purchase({ amount: 500, paymentMethodId: theirs.id });
    expect(refused).toMatchObject({ bought: undefined, code: 'NOT_FOUND' });
    expect(await chargesOf(session)).toEqual([]);
  });

  test('buys once with one key, and has one purchase at a time with several', async ({
    session,
    buyer,
  }) => {
    await offering(session, usual);
    const { id } = await aBuyer(session);
    const purchase = await buyer(id);
    const twice = await Promise.all([1, 2, 3].map(() => purchase({ amount: 2_000 }, 'click')));
    expect(twice.some(({ bought }) => bought?.status === 'active')).toBe(true);
    expect((await purchase({ amount: 2_000 }, 'click')).bought).toMatchObject({ status: 'active' });
    expect(await creditsOf(session, id)).toEqual(['purchase 2000: 2000 left']);
    expect(await chargesOf(fresh(session))).toMatchObject([{ amount: 2_000 }]);

    const slow = await aBuyer(session, 'sandbox_processing_success');
    const another = await buyer(slow.id);
    const both = await Promise.all([another({ amount: 500 }), another({ amount: 500 })]);
    const issues = both.map((one) => one.issues);
    expect(issues).toContainEqual(['INVALID_STATE prepaidCredit.customerId']);
    expect(issues).toContain(undefined);
    expect(await creditsOf(session, slow.id)).toEqual(['purchase 500: pending']);
  });

  test('owes nothing after a declined payment, learns the reason, and may buy again', async ({
    session,
    buyer,
  }) => {
    await offering(session, usual);
    const { id } = await aBuyer(session, 'sandbox_decline_insufficient_funds');
    const purchase = await buyer(id);
    for (let time = 0; time < 2; time++) {
      const { bought } = await purchase({ amount: 500 });
      expect(bought).toMatchObject({
        status: 'void',
        invoice: {
          status: 'void',
          paymentsPage: { nodes: [{ failureMessage: expect.stringMatching(/./) }] },
        },
      });
    }
    const method = await aPaymentMethod(session, id);
    const { bought } = await purchase({ amount: 500, paymentMethodId: method.id });
    expect(bought.status).toBe('active');
    const open = { customer: id, status: { $in: ['open', 'awaiting_payment_confirmation'] } };
    expect(await fresh(session).em.count(Invoice, open as never)).toBe(0);
  });

  test('is led to the confirmation of a payment, and may leave it for another purchase', async ({
    session,
    buyer,
    gateway,
  }) => {
    await offering(session, usual);
    const { id } = await aBuyer(session, 'sandbox_action_success');
    const purchase = await buyer(id);
    const { bought } = await purchase({ amount: 2_000 });
    expect(bought).toMatchObject({ status: 'pending' });
    const url = bought.invoice.paymentActionUrl;
    expect(url).toMatch(/\/sandbox\/confirmations\//);
    const [payment] = await fresh(session).em.find(Payment, { invoice: bought.invoice.id });
    expect(payment).toMatchObject({ status: 'requires_action', offSession: false });
    const { bought: second } = await purchase({ amount: 500 });
    expect(second).toMatchObject({ status: 'pending' });
    expect((await gateway.fetch(new URL(new URL(url).pathname, 'http://test').href)).status).toBe(
      200,
    );
    expect(await creditsOf(session, id)).toEqual([
      'purchase 2000: pending',
      'purchase 500: pending',
    ]);
  });

  test('has a sent invoice where the customer gets invoices sent, and no second one', async ({
    session,
    buyer,
  }) => {
    await offering(session, usual);
    const { id, externalId } = await aCustomer(session);
    const customer = { collectionMethod: 'send_invoice', paymentTermDays: 14 } as const;
    await updateCustomer(fresh(session), { externalId, customer } as never);
    const purchase = await buyer(id);
    expect((await purchase({ amount: 500 })).bought).toMatchObject({
      status: 'pending',
      invoice: { status: 'open' },
    });
    expect((await purchase({ amount: 500 })).issues).toEqual([
      'INVALID_STATE prepaidCredit.customerId',
    ]);
  });
});

describe('an offer', () => {
  test('is that of the currency of the customer, and none while customers may not buy', async ({
    session,
    graphql,
  }) => {
    const { id, externalId } = await aBuyer(session);
    const query = `query($externalId: String!) { customerBilling(externalId: $externalId) {
      prepaidOffer { currency amounts minimum maximum validDays } } }`;
    const offered = async () =>
      (await graphql(query, { externalId })).data.customerBilling.prepaidOffer;
    expect(await offered()).toBeNull();
    const euros = { currency: 'EUR', amounts: [9_000, 1_000, 9_000] };
    await offering(session, euros);
    expect(await offered()).toBeNull();
    await offering(session, euros, usual);
    expect(await offered()).toEqual({ ...usual, validDays: null });
    await fresh(session).em.execute(`update customer set currency = 'EUR' where id = ?`, [id]);
    expect(await offered()).toEqual({
      ...{ currency: 'EUR', amounts: [1_000, 9_000] },
      ...{ minimum: null, maximum: null, validDays: null },
    });
  });

  test.for([
    [{ currency: 'USD' }, 'REQUIRED organization.prepaidOffers.0.amounts'],
    [{ currency: 'USD', minimum: 5 }, 'REQUIRED organization.prepaidOffers.0.maximum'],
    [
      { currency: 'USD', minimum: 5, maximum: 4 },
      'OUT_OF_RANGE organization.prepaidOffers.0.maximum',
    ],
    [{ currency: 'USD', amounts: [0] }, 'OUT_OF_RANGE organization.prepaidOffers.0.amounts.0'],
    [{ currency: 'XXQ', amounts: [5] }, 'INVALID organization.prepaidOffers.0.currency'],
  ] as const)('%j is refused', async ([offer, issue], { graphql }) => {
    const { errors } = await graphql(
      'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { id } } }',
      { organization: { prepaidOffers: [offer] } },
    );
    expect(issuesOf(errors[0])).toEqual([issue]);
  });

  test('is one for each currency', () => {
    const offers = ['USD', 'EUR', 'USD'].map((currency) => ({ currency, amounts: [5] }));
    expect(prepaidOffersInput.safeParse(offers).error?.issues).toMatchObject([
      { path: [2, 'currency'] },
    ]);
  });

  test('sells exactly its amounts and its range', () => {
    const amount = fc.integer({ min: 1, max: 50 });
    const one = fc.record({ amounts: fc.array(amount), limits: fc.tuple(amount, amount) });
    fc.assert(
      fc.property(one, amount, ({ amounts, limits: [minimum, span] }, wanted) => {
        const maximum = minimum + span;
        const offer = { currency: 'USD', amounts, minimum, maximum, validDays: null };
        const open = { ...offer, minimum: null, maximum: null } satisfies PrepaidOffer;
        expect(isOffered(open, wanted)).toBe(amounts.includes(wanted));
        expect(isOffered(offer, wanted)).toBe(
          amounts.includes(wanted) || (wanted >= minimum && wanted <= maximum),
        );
      }),
    );
  });
});

test('credit of the organization’s own is never bought by its customer', async ({ session }) => {
  const { id } = await aCustomer(session);
  const { em } = fresh(session);
  await expect(
    em.execute(
      `insert into prepaid_credit (id, organization_id, livemode, pricing_model_id, created_at, updated_at, customer_id, source, bought_by_customer, currency, amount, remaining, granted_at)
       select 'prepaid_credit_x', organization_id, livemode, pricing_model_id, now(), now(), id, 'gift', true, 'USD', 5, 5, now() from customer where id = ?`,
      [id],
    ),
  ).rejects.toThrow('prepaid_credit_buyer');
  expect(await em.count(PrepaidCredit, { customer: id })).toBe(0);
});
