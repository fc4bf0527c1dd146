// @module-tag long
import type { GraphQLObjectType } from 'graphql';
import { describe, expect } from 'vitest';
import { createTaxRate } from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import type { Session } from '#domain/kernel/session.ts';
import { mailSettingsOf } from '#domain/mail/commands/mails/mail-settings-of.ts';
import { createAlertRule } from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import { createAlert } from '#domain/metering/commands/alerts/create-alert.ts';
import { Event } from '#domain/model/platform/event.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { createSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/create-subscription-item-feature.ts';
import { routes } from '#rest/index.ts';
import { schema } from '#schema/index.ts';
import { aDiscount } from '../../../support/discounts.ts';
import {
  aCustomer,
  aDraft,
  aPaymentMethod,
  aProduct,
  aResource,
  aSubscription,
  aToggle,
  aUsageMeter,
  aWebhook,
  fresh,
} from '../../../support/factories.ts';
import { aPrepaidTopUp } from '../../../support/prepaid.ts';
import { aCharge } from '../../../support/records/one-off-charges.ts';
import { aPhase } from '../../../support/records/phases.ts';
import { aPackage, aTopUp } from '../../../support/records/top-ups.ts';
import { test } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

/** An object that callers update: how it is named, and a change of it. */
interface Updated {
  readonly mutation: string;
  /** The argument with the changes, and the field of the answer. */
  readonly argument: string;
  readonly changes: object;
  readonly path?: string;
  make(session: Session): Promise<{ id: string; key?: string }>;
}

const named = { name: 'New' };
const anItem = async (session: Session) => {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId);
  const { id } = await aSubscription(session, { customerId });
  const [item] = await fresh(session).em.find(SubscriptionItem, { subscription: id });
  return { id: item?.id ?? '' };
};
const aGrant = async (session: Session) => {
  const { id } = await anItem(session);
  const feature = await aToggle(session);
  return createSubscriptionItemFeature(fresh(session), {
    subscriptionItemFeature: {
      subscriptionItemId: id,
      featureId: feature.id,
      type: 'toggle',
    },
  });
};
const aPrice = async (session: Session) => {
  const [price] = await (await aProduct(session)).prices.loadItems();
  return { id: price?.id ?? '' };
};
const anAlert = async (session: Session) => {
  const { id, slug } = await aMeteredSubscription(session);
  return createAlert(fresh(session), {
    alert: { kind: 'usage', threshold: '1', subscriptionId: id, usageMeterSlug: slug },
  });
};
const anAlertRule = (session: Session) =>
  createAlertRule(fresh(session), { alertRule: { kind: 'spend', threshold: '100' } });
const keyOf = ({ apiKey }: { apiKey: { id: string } }) => ({ id: apiKey.id });
const aMethod = async (session: Session) => aPaymentMethod(session, (await aCustomer(session)).id);

const all: readonly Updated[] = [
  {
    mutation: 'updateAlert',
    argument: 'alert',
    changes: named,
    path: '/alerts',
    make: anAlert,
  },
  {
    mutation: 'updateAlertRule',
    argument: 'alertRule',
    changes: named,
    path: '/alert-rules',
    make: anAlertRule,
  },
  {
    mutation: 'updateApiKey',
    argument: 'apiKey',
    changes: named,
    make: (session) => createApiKey(fresh(session), { apiKey: { name: 'Old' } }).then(keyOf),
  },
  {
    mutation: 'updateCustomer',
    argument: 'customer',
    changes: named,
    path: '/customers',
    make: async (session) => {
      const { id, externalId } = await aCustomer(session);
      return { id, key: externalId };
    },
  },
  {
    mutation: 'updateDiscount',
    argument: 'discount',
    changes: named,
    path: '/discounts',
    make: aDiscount,
  },
  {
    mutation: 'updateFeature',
    argument: 'feature',
    changes: named,
    path: '/features',
    make: aToggle,
  },
  {
    mutation: 'updateInvoice',
    argument: 'invoice',
    changes: { memo: 'New' },
    path: '/invoices',
    make: async (session) => aDraft(session),
  },
  {
    mutation: 'updateMailSettings',
    argument: 'mailSettings',
    changes: { fromName: 'New' },
    make: async (session) => mailSettingsOf(fresh(session)),
  },
  {
    mutation: 'updateOneOffCharge',
    argument: 'oneOffCharge',
    changes: named,
    path: '/one-off-charges',
    make: async (session) => aCharge(session, (await aMeteredSubscription(session)).id),
  },
  {
    mutation: 'updateOrganization',
    argument: 'organization',
    changes: named,
    make: async ({ organizationId }) => ({ id: organizationId }),
  },
  {
    mutation: 'updatePaymentMethod',
    argument: 'paymentMethod',
    changes: { metadata: { a: 1 } },
    make: aMethod,
  },
  {
    mutation: 'updatePrepaidTopUp',
    argument: 'prepaidTopUp',
    changes: { threshold: 2 },
    path: '/prepaid-top-ups',
    make: async (session) => aPrepaidTopUp(session, (await aCustomer(session)).id),
  },
  { mutation: 'updatePrice', argument: 'price', changes: named, path: '/prices', make: aPrice },
  {
    mutation: 'updatePricingModel',
    argument: 'pricingModel',
    changes: named,
    path: '/pricing-models',
    make: async ({ pricingModelId }) => ({ id: pricingModelId }),
  },
  {
    mutation: 'updateProduct',
    argument: 'product',
    changes: named,
    path: '/products',
    make: aProduct,
  },
  {
    mutation: 'updateResource',
    argument: 'resource',
    changes: named,
    path: '/resources',
    make: aResource,
  },
  {
    mutation: 'updateSubscription',
    argument: 'subscription',
    changes: named,
    make: aSubscription,
  },
  {
    mutation: 'updateSubscriptionItem',
    argument: 'subscriptionItem',
    changes: named,
    path: '/subscription-items',
    make: anItem,
  },
  {
    mutation: 'updateSubscriptionItemFeature',
    argument: 'subscriptionItemFeature',
    changes: { manuallyCreated: true },
    path: '/subscription-item-features',
    make: aGrant,
  },
  {
    mutation: 'updateSubscriptionPhase',
    argument: 'subscriptionPhase',
    changes: { startsAt: Date.parse('2100-02-01') },
    path: '/subscription-phases',
    make: async (session) => aPhase(session, (await aMeteredSubscription(session)).id),
  },
  {
    mutation: 'updateTaxRate',
    argument: 'taxRate',
    changes: named,
    path: '/tax-rates',
    make: (session) =>
      createTaxRate(session, {
        taxRate: { name: 'VAT', taxType: 'vat', ratePercentage: '19', country: 'DE' },
      }),
  },
  {
    mutation: 'updateTopUp',
    argument: 'topUp',
    changes: { threshold: 2 },
    path: '/top-ups',
    make: async (session) => {
      const user = await aMeteredSubscription(session);
      const priceId = await aPackage(session, user, 100);
      return aTopUp(session, user, { priceId, threshold: 1 });
    },
  },
  {
    mutation: 'updateUsageMeter',
    argument: 'usageMeter',
    changes: named,
    path: '/usage-meters',
    make: aUsageMeter,
  },
  {
    mutation: 'updateWebhook',
    argument: 'webhook',
    changes: named,
    path: '/webhooks',
    make: async (session) => (await aWebhook(session)).webhook,
  },
];

const typeOf = ({ argument, mutation }: Updated) =>
  (schema.getMutationType() as GraphQLObjectType)
    .getFields()
    [mutation]?.args.find(({ name }) => name === argument)?.type;

/** A call of the mutation with an expected version, on an object. */
function call(updated: Updated, { id, key }: { id: string; key?: string }) {
  const { mutation, argument, changes } = updated;
  const names =
    mutation === 'updateOrganization' || mutation === 'updateMailSettings'
      ? ''
      : `${mutation === 'updateCustomer' ? 'externalId' : 'id'}: ${JSON.stringify(key ?? id)}, `;
  const query = `mutation ($changes: ${typeOf(updated)}, $version: Int) {
    updated: ${mutation}(${names}${argument}: $changes, expectedVersion: $version) { ${argument} { version } }
  }`;
  return { query, variables: (version: number) => ({ changes, version }) };
}

test('every update takes the expected version, and every PUT takes If-Match', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  // Operators change operators; `test/service/server/operators/operators-access.test.ts` tests their versions.
  const others = new Set(['updateOperator']);
  const updates = fields.filter(({ name }) => name.startsWith('update') && !others.has(name));
  expect(updates.map(({ name }) => name).toSorted()).toEqual(all.map(({ mutation }) => mutation));
  for (const { args } of updates) {
    expect(args.map(({ name }) => name)).toContain('expectedVersion');
  }
  const puts = routes.filter(({ method }) => method === 'PUT');
  expect(puts.length).toBeGreaterThan(9);
  for (const { path, versioned } of puts) expect(versioned, path).toBeDefined();
});

describe('an update that expects a version', () => {
  test.for(all)(
    '$mutation changes that version, and no other',
    async (updated, { graphql, session }) => {
      const object = await updated.make(session);
      const { query, variables } = call(updated, object);
      const stale = await graphql(query, variables(1_000));
      const [{ extensions }] = stale.errors;
      expect(extensions).toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ code: 'STALE', path: ['expectedVersion'] }],
      });
      const present = Number(/has version (\d+)/.exec(extensions.issues[0].message)?.[1]);
      const events = await fresh(session).em.count(Event);
      expect((await graphql(query, variables(present + 1))).errors).toHaveLength(1);
      expect(await fresh(session).em.count(Event)).toBe(events);
      const { data } = await graphql(query, variables(present));
      expect(JSON.stringify(data.updated)).toContain(`"version":${present + 1}`);
      expect((await graphql(query, variables(present))).errors).toHaveLength(1);
      const [last] = await fresh(session).em.find(
        Event,
        { objectId: object.id },
        { orderBy: { position: 'desc' }, limit: 1 },
      );
      expect(last?.objectVersion).toBe(present + 1);
    },
  );

  test('is won by one of several at once', async ({ graphql, session }) => {
    const { id } = await aResource(session);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, turn) =>
        graphql(
          `mutation { updateResource(id: "${id}", resource: { name: "N${turn}" }, expectedVersion: 1) { resource { version } } }`,
        ),
      ),
    );
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
  });
});

describe('over REST', () => {
  const detailed = { prefer: 'issues=detailed' };

  test.for(all.filter(({ path }) => path))(
    '$path: an ETag goes into If-Match, and a stale one is a 400',
    async (updated, { api, session }) => {
      const { id, key = id } = await updated.make(session);
      const address = `${updated.path}/${key}`;
      const body = { [updated.argument]: updated.changes };
      const read = await api('GET', address);
      const etag = read.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"\d+"$/);
      expect(JSON.stringify(read.body)).not.toContain('"version"');
      const changed = await api('PUT', address, body, { headers: { 'if-match': etag } });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).toBe(`"${Number(etag.slice(1, -1)) + 1}"`);
      const again = { headers: { 'if-match': etag, ...detailed } };
      const stale = await api('PUT', address, body, again);
      expect(stale).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', issues: [{ code: 'STALE', path: ['If-Match'] }] },
      });
      const plain = await api('PUT', address, body, { headers: { 'if-match': etag } });
      expect(plain.body.issues).toEqual([
        { message: expect.stringMatching(/^If-Match: is \d+, but/) },
      ]);
      expect((await api('GET', address)).headers.get('etag')).toBe(changed.headers.get('etag'));
    },
  );

  test('weak ETags and * are read, anything else is refused, and so is the header elsewhere', async ({
    api,
    session,
  }) => {
    const { id } = await aResource(session);
    const put = (ifMatch: string) =>
      api(
        'PUT',
        `/resources/${id}`,
        { resource: { name: 'New' } },
        { headers: { 'if-match': ifMatch } },
      );
    expect((await put('W/"1"')).status).toBe(200);
    expect((await put('*')).status).toBe(200);
    for (const wrong of ['2', '"two"', '"1", "2"']) {
      expect((await put(wrong)).body.issues).toEqual([
        { message: 'If-Match: must be the ETag of an answer, such as "3", or *' },
      ]);
    }
    const body = { customer: { name: 'A', email: 'a@example.com', externalId: 'a' } };
    const elsewhere = await api('POST', '/customers', body, { headers: { 'if-match': '"1"' } });
    expect(elsewhere.body.issues).toEqual([
      { message: expect.stringMatching(/^If-Match: is not supported by POST/) },
    ]);
    const created = await api('POST', '/customers', body);
    expect(created.headers.get('etag')).toBe('"1"');
    const resource = { name: 'X' };
    // A version in the body is an unknown field.
    const inBody = await api('PUT', `/resources/${id}`, { resource, expectedVersion: 1 });
    expect(inBody.status).toBe(400);
    const changed = await api('PUT', `/resources/${id}`, { resource });
    const none = await api('GET', `/resources/${id}`, undefined, {
      headers: { 'if-none-match': changed.headers.get('etag') ?? '' },
    });
    expect(none.status).toBe(200);
  });
});
