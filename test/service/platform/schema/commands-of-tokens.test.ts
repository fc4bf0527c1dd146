import { expect } from 'vitest';
import { createTaxRate } from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import { scopedEntities } from '#domain/entities.ts';
import { customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { asCommand } from '#domain/kernel/reads/as-command.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { aCustomer, aPaymentMethod, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { aCharge, linedInvoicesOf } from '../../../support/records/one-off-charges.ts';
import { aPackage, aTopUp } from '../../../support/records/top-ups.ts';
import { apiOf, test as base, graphqlOf } from '../../../support/test.ts';
import { aTimedSubscription, at, eventsOf, fresh } from '../../../support/timeline.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

const test = base.extend('browser', ({ gateway, session }) => async (customer: string) => {
  const scopes = [...customerTokenScopes];
  const { token } = await createCustomerToken(fresh(session), { customer, scopes });
  return { graphql: graphqlOf(gateway, token), api: apiOf(gateway, token) };
});

const cancel = `mutation($id: ID!) {
  cancelSubscription(id: $id, cancellation: { timing: immediately }) { subscription { status } } }`;

/** Moves a clock without the job that works on the boundaries in between. */
const setClock = ({ em }: Session, clockId: string, to: string) =>
  em.execute('update test_clock set frozen_time = ? where id = ?', [at(to), clockId]);

test('every kind of record has a rule for customer tokens and their commands', async ({
  session,
}) => {
  const { id: customerId } = await aCustomer(session);
  const { em, apiKeyId: _, ...scope } = session;
  const own = openSession(em, { ...scope, keyType: 'customer_token', customerId });
  const missing: string[] = [];
  for (const entity of scopedEntities) {
    const count = () => own.em.count(entity as never);
    await count().catch((error) => missing.push(`${error}`));
    await asCommand(count).catch((error) => missing.push(`${error}`));
  }
  expect(missing).toEqual([]);
});

test('a customer who cancels at once is billed the pending one-off charge', async ({
  session,
  browser,
}) => {
  const plan = await aTimedSubscription(session, { from: '2026-01-01', paid: true });
  await aCharge(session, plan.id);
  await setClock(session, plan.clockId, '2026-01-10');
  const { graphql } = await browser(plan.customerId);
  expect((await graphql(cancel, { id: plan.id })).data).toEqual({
    cancelSubscription: { subscription: { status: 'canceled' } },
  });
  expect((await linedInvoicesOf(session, plan.id)).slice(1)).toEqual([
    'last_usage open 2026-01-10: one_off 500',
  ]);
});

test('a customer cannot detach the only payment method of a subscription that renews, its seller can', async ({
  session,
  browser,
  graphql: seller,
}) => {
  const { id, customerId } = await aTimedSubscription(session, { from: '2026-01-01', paid: true });
  const { graphql } = await browser(customerId);
  const detach = `mutation($id: ID!) { detachPaymentMethod(id: $id) { paymentMethod { detachedAt } } }`;
  const methods = '{ paymentMethods(first: 5, where: {customer: {is: "ID"}}) { nodes { id } } }';
  const { data } = await seller(methods.replace('ID', customerId));
  const [{ id: only }] = data.paymentMethods.nodes;
  const [refused] = (await graphql(detach, { id: only })).errors;
  expect(refused.message).toContain('Invalid input data');
  expect(refused.extensions.issues[0].message).toContain(`only payment method of ${id}`);
  const other = await aPaymentMethod(fresh(session), customerId, { default: true });
  expect((await graphql(detach, { id: only })).errors).toBeUndefined();
  expect((await graphql(detach, { id: other.id })).errors).toHaveLength(1);
  expect((await seller(detach, { id: other.id })).errors).toBeUndefined();
});

test('a phase starts before the command of a customer after its boundary, and ends with the subscription', async ({
  session,
  browser,
}) => {
  const plan = await aTimedSubscription(session, { from: '2026-01-01', paid: true });
  const priceId = await aPriceOf(session, { unitPrice: 2_000 });
  const phaseAt = (startsAt: string) =>
    createSubscriptionPhase(fresh(session), {
      subscriptionPhase: { subscriptionId: plan.id, startsAt: at(startsAt), items: [{ priceId }] },
    });
  await phaseAt('2026-02-01');
  await phaseAt('2026-03-01');
  await setClock(session, plan.clockId, '2026-02-02');
  const { graphql } = await browser(plan.customerId);
  const phases = '{ subscriptionPhases { nodes { status items { price { id } } } } }';
  const [item] = [{ items: [{ price: { id: priceId } }] }];
  expect((await graphql(phases)).data.subscriptionPhases.nodes).toEqual([
    { status: 'planned', ...item },
    { status: 'planned', ...item },
  ]);
  expect((await graphql(cancel, { id: plan.id })).errors).toBeUndefined();
  expect((await graphql(phases)).data.subscriptionPhases.nodes).toEqual([
    { status: 'started', ...item },
    { status: 'canceled', ...item },
  ]);
});

test('the rates of taxes apply to an invoice by a customer, who does not see them', async ({
  session,
  browser,
}) => {
  await updateOrganization(fresh(session), { organization: { taxEngine: 'rates' } });
  const { id: customer, externalId } = await aCustomer(session);
  const place = { line1: '1 Road', line2: null, city: 'Ulm', state: null, postal_code: null };
  const nobody = { name: null, firstName: null, lastName: null, email: null, phone: null };
  const address = { name: null, ...place, country: 'DE' };
  await updateCustomer(fresh(session), {
    externalId,
    customer: { billingAddress: { ...nobody, address } },
  });
  const method = await aPaymentMethod(session, customer);
  const priceId = await aPriceOf(session, { unitPrice: 1_000 });
  const { id } = await aSubscription(session, {
    ...{ customerId: customer, priceId, defaultPaymentMethodId: method.id },
  });
  const rate = { name: 'VAT', taxType: 'vat', ratePercentage: '19', country: 'DE' } as const;
  const { id: taxRate } = await createTaxRate(fresh(session), { taxRate: rate });
  const { graphql, api } = await browser(customer);
  const upcoming = '{ upcomingInvoice(subscription: "ID") { total } }'.replace('ID', id);
  expect((await graphql(upcoming)).data.upcomingInvoice).toEqual({ total: 1_190 });
  const adjusted = await graphql(
    `mutation { adjustSubscription(id: "${id}", adjustment: { timing: immediately,
      newSubscriptionItems: [{ priceId: "${priceId}", quantity: 3 }] }) { subscription { id } } }`,
  );
  expect(adjusted.errors).toBeUndefined();
  const [, difference] = await fresh(session).em.find(
    Invoice,
    { subscription: id },
    { orderBy: { position: 'asc' } },
  );
  expect(difference).toMatchObject({ taxRatePercentage: '19' });
  expect(difference?.taxAmount).toBeGreaterThan(0);
  expect((await graphql('{ taxRates { nodes { id } } }')).errors[0].extensions.code).toBe(
    'FORBIDDEN',
  );
  expect((await graphql(`{ node(id: "${taxRate}") { id } }`)).data).toEqual({ node: null });
  expect((await api('GET', '/tax-rates')).status).toBe(403);
});

test('a customer lists and follows the one-off charges, phases and top-ups of its own subscriptions', async ({
  session,
  browser,
}) => {
  const records = async () => {
    const plan = await aMeteredSubscription(session, { unitPrice: 1 });
    const charge = await aCharge(session, plan.id);
    const priceId = await aPackage(session, { slug: plan.slug, meterId: plan.meterId }, 100);
    const topUp = await aTopUp(session, plan, { priceId, threshold: 1 });
    return { ...plan, charge, topUp };
  };
  const mine = await records();
  await records();
  const { graphql } = await browser(mine.customerId);
  const { data, errors } = await graphql(
    '{ oneOffCharges { nodes { id } } topUps { nodes { id price { id } usageMeter { id } } } }',
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    oneOffCharges: { nodes: [{ id: mine.charge.id }] },
    topUps: {
      nodes: [
        { id: mine.topUp.id, price: { id: mine.topUp.priceId }, usageMeter: { id: mine.meterId } },
      ],
    },
  });
  const feed = await graphql('{ events(first: 100) { nodes { type objectId } } }');
  for (const { id } of [mine.charge, mine.topUp]) {
    const [created] = await eventsOf(session, id);
    expect(feed.data.events.nodes).toContainEqual({ type: created?.type, objectId: id });
  }
});
