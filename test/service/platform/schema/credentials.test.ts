// @module-tag long
import type { EntityManager } from '@mikro-orm/postgresql';
import { expect } from 'vitest';
import { usualLimits } from '#config';
import { scopedEntities } from '#domain/entities.ts';
import { accessScopes, customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { customerKinds } from '#domain/kernel/reads/of-customer.ts';
import type { CredentialType, Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { revokeCustomerToken } from '#domain/platform/commands/api-keys/revoke-customer-token.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { readGuide } from '#rest/guides/index.ts';
import { routes } from '#rest/index.ts';
import { accessRefusal } from '#schema/engine/access.ts';
import { mutationScopes } from '#schema/engine/access-table.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import {
  argumentsOf,
  documentOf,
  type Operation,
  operations,
  typeOf,
} from '../../../support/answers/all-operations.ts';
import {
  aPaidInvoice,
  aPaymentMethod,
  aSubscription,
  aTestClock,
  fresh,
} from '../../../support/factories.ts';
import { liveKey, oneOfEach, siblingKey } from '../../../support/records/one-of-each.ts';
import { aTenant } from '../../../support/tenant.ts';
import { apiOf, graphqlOf, testAlone } from '../../../support/test.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

const catalog = ['Feature', 'Price', 'Product', 'ProductFeature', 'Resource', 'UsageMeter'];

/** A credential, and the records of the victim that it sees all the same. */
interface Attacker {
  readonly key: string;
  readonly keyType: CredentialType;
  readonly scopes?: readonly string[] | null;
  /** Types of records that it sees or shares with the victim. */
  readonly shared: readonly string[];
  /** The code of every answer. */
  readonly always?: string;
}

/** Tokens without a rate, since one of them sends hundreds of requests at once. */
const { rates, ...limits } = usualLimits();
const unlimited = { ...limits, rates: { ...rates, customer_token: { perSecond: 0, burst: 0 } } };

const test = testAlone('its gateway has settings of its own')
  .extend('gateway', { scope: 'file' }, ({ database, hub }) =>
    createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('error'),
      production: false,
      operationTimeLimitSeconds: 30,
      limits: unlimited,
    }),
  )
  .extend('victim', { scope: 'file' }, async ({ database }) => {
    const { session, key } = await aTenant(database.orm.em);
    // A clock has an id of its own, which no refusal may name.
    const ids = await oneOfEach(session, (await aTestClock(session)).id);
    const customer = await fresh(session).em.findOneOrFail(Customer, ids.Customer ?? '');
    const resource = await fresh(session).em.findOneOrFail(Resource, ids.Resource ?? '');
    const { externalId } = customer;
    const texts = { externalId, customerExternalId: externalId, resourceSlug: resource.slug };
    return { session, key, ids, names: { ...ids, ...texts } };
  })
  .extend('attackers', { scope: 'file' }, async ({ database, victim: { session } }) => {
    const key = async (apiKey: object) =>
      createApiKey(fresh(session), { apiKey: { name: 'Key', ...apiKey } });
    const { customerId } = await aSubscription(session);
    await aPaymentMethod(session, customerId);
    const token = () =>
      createCustomerToken(fresh(session), {
        customer: customerId,
        scopes: [...customerTokenScopes],
      });
    const revoked = { key: await key({}), token: await token() };
    await revokeApiKey(fresh(session), { id: revoked.key.apiKey.id });
    await revokeCustomerToken(fresh(session), { id: revoked.token.customerToken.id });
    const expired = { key: await key({}), token: await token() };
    for (const [table, id] of [
      ['api_key', expired.key.apiKey.id],
      ['customer_token', expired.token.customerToken.id],
    ]) {
      await database.orm.em.execute(
        `update ${table} set created_at = now() - interval '2 h', expires_at = now() - interval '1 h' where id = ?`,
        [id],
      );
    }
    const secret = { keyType: 'secret', shared: [] } as const;
    const ofCustomer = {
      keyType: 'customer_token',
      // An alert of the customer names its rule by the id; no token reads the rule.
      shared: [...catalog, 'Organization', 'PricingModel', 'AlertRule'],
    } as const;
    const gone = { shared: [], always: 'UNAUTHORIZED' } as const;
    const own = { keyType: 'secret', shared: ['*'] } as const;
    return {
      'a secret key of another organization': {
        ...secret,
        key: (await aTenant(database.orm.em)).key,
      },
      'a secret key of the other mode': {
        ...secret,
        key: await liveKey(session),
        shared: ['Organization', 'Operator', 'OperatorInvitation'],
      },
      'a secret key of another pricing model': {
        ...secret,
        key: await siblingKey(session),
        // It creates keys for the pricing models of its organization and mode.
        shared: [
          'Organization',
          'Operator',
          'OperatorInvitation',
          'PricingModel',
          'ProcessorAccount',
          'MailSettings',
          'MailTemplate',
          'ApiKey',
          'Event',
          // It exports every catalog of its organization, and learns which one has an object.
          ...catalog,
        ],
      },
      'a read-only key': { ...own, key: (await key({ scopes: ['read'] })).token, scopes: ['read'] },
      'a key for webhooks': {
        ...own,
        key: (await key({ scopes: ['webhooks_write'] })).token,
        scopes: ['read', 'webhooks_write'],
      },
      'a publishable key': {
        key: (await key({ type: 'publishable' })).token,
        keyType: 'publishable',
        shared: [...catalog, 'Organization', 'PricingModel'],
      },
      'a customer token of another customer': {
        ...ofCustomer,
        key: (await token()).token,
        scopes: customerTokenScopes,
      },
      'a revoked key': { ...gone, keyType: 'secret', key: revoked.key.token },
      'an expired key': { ...gone, keyType: 'secret', key: expired.key.token },
      'a revoked token': { ...gone, keyType: 'customer_token', key: revoked.token.token },
      'an expired token': { ...gone, keyType: 'customer_token', key: expired.token.token },
    } satisfies Record<string, Attacker> as Record<string, Attacker>;
  });

const names = [
  'a secret key of another organization',
  'a secret key of the other mode',
  'a secret key of another pricing model',
  'a read-only key',
  'a publishable key',
  'a customer token of another customer',
  'a revoked key',
  'an expired key',
  'a revoked token',
  'an expired token',
  // It deletes the webhook, so it is the last.
  'a key for webhooks',
];

/** Live updates of what the attacker sees, and those without a required argument, wait; other tests follow them. */
const waits = ({ kind, name, field }: Operation, { keyType, shared }: Attacker) =>
  kind === 'subscription' &&
  (shared.includes('*') ||
    keyType === 'publishable' ||
    shared.includes(typeOf(field)) ||
    /^(events|revenueChanged|webhookDeliveryChanged)$/.test(name));

test.for(names)(
  '%s sees and changes nothing of others, in any operation',
  async (name, { gateway, victim, attackers }) => {
    const attacker = attackers[name] as Attacker;
    const em = victim.session.em.fork();
    const before = await stateOf(em, victim.session, attacker);
    const secrets = Object.entries(victim.ids)
      .filter(([type]) => !attacker.shared.includes(type) && !attacker.shared.includes('*'))
      .map(([, id]) => id);
    const problems: string[] = [];
    for (const operation of operations) {
      const refused = attacker.always ?? refusalCode(attacker, operation);
      if (!refused && waits(operation, attacker)) continue;
      const subjects = operation.name === 'node' ? Object.values(victim.ids) : [undefined];
      for (const id of subjects) {
        const { variables } = argumentsOf(operation, victim.names);
        const answer = await ask(gateway, attacker.key, {
          query: documentOf(operation, attacker.keyType),
          variables: { ...variables, ...(id && { id }) },
        });
        const text = JSON.stringify(answer.data ?? null);
        const codes = (answer.errors ?? []).map(({ extensions }: Json) => extensions?.code);
        const what = `${operation.kind} ${operation.name} ${JSON.stringify(variables)}`;
        for (const secret of secrets) if (text.includes(secret)) problems.push(`${what}: ${text}`);
        if (refused && !codes.includes(refused))
          problems.push(`${what}: not ${refused} ${JSON.stringify(answer)}`);
        if (codes.includes('INTERNAL_SERVER_ERROR'))
          problems.push(`${what}: ${JSON.stringify(answer)}`);
        const isHarmless = attacker.shared.includes('*') || attacker.keyType === 'publishable';
        const isOfToken = attacker.keyType === 'customer_token' && operation.kind !== 'query';
        const names = Object.keys(variables).length > 0;
        if (!refused && isOfToken && names && !isHarmless && !codes.includes('NOT_FOUND')) {
          problems.push(`${what}: not NOT_FOUND ${JSON.stringify(answer)}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(await stateOf(em, victim.session, attacker)).toEqual(before);
  },
);

test.for(names.slice(0, 3))(
  '%s gets the same refusal for a record of others as for one that does not exist',
  async (name, { gateway, victim, attackers }) => {
    const { key, shared } = attackers[name] as Attacker;
    const hidden = (of: (id: string) => string) =>
      Object.fromEntries(
        Object.entries(victim.names).map(([type, id]) => [
          type,
          // What both share is there for the one as for the other.
          shared.includes(type) ? missing(id) : of(id),
        ]),
      );
    const [foreign, unknown] = [hidden((id) => id), hidden(missing)];
    for (const operation of operations) {
      if (operation.kind === 'subscription') continue;
      const refusalOf = async (names: Record<string, string>) => {
        const { variables } = argumentsOf(operation, names);
        const query = documentOf(operation, 'secret');
        const { errors = [] } = await ask(gateway, key, { query, variables });
        const text = JSON.stringify(
          errors.map(({ message, extensions }: Json) => [message, extensions]),
        );
        return Object.values(names).reduce((text, id) => text.replaceAll(id, 'its id'), text);
      };
      expect(await refusalOf(foreign), operation.name).toBe(await refusalOf(unknown));
    }
  },
);

/** The id of no record, in the same form. */
const missing = (id: string) => id.replace(/.{4}$/, 'none');

/** The access to an operation, by the table of access. */
const refusalCode = ({ keyType, scopes }: Attacker, { kind, name, field }: Operation) =>
  accessRefusal({ keyType, scopes: (scopes ?? null) as never }, { ...field, operation: kind, name })
    ?.code;

/** A digest of each table's rows in the victim's pricing model, apart from what the attacker shares. */
async function stateOf(em: EntityManager, session: Session, { shared }: Attacker) {
  const digests: Record<string, string> = {};
  await sequenceEvents(em, session);
  for (const entity of scopedEntities) {
    const { tableName, properties } = em.getMetadata(entity as never);
    const isWide = !('pricingModelId' in properties);
    if (isWide && shared.includes('Organization')) continue;
    if (shared.includes(entity.name)) continue;
    // The key that has this scope may write webhooks, and is the cause of what it writes.
    if (shared.includes('*') && /^(webhook|event|cause)/.test(tableName)) continue;
    const { organizationId, pricingModelId, livemode } = session;
    const [{ digest } = { digest: '' }] = await em.execute<{ digest: string }[]>(
      `select md5(string_agg(t::text, '|' order by t.id)) as digest from ${tableName} t where organization_id = ?
         ${'livemode' in properties ? 'and livemode = ?' : ''} ${isWide ? '' : 'and pricing_model_id = ?'}`,
      [
        organizationId,
        ...('livemode' in properties ? [livemode] : []),
        ...(isWide ? [] : [pricingModelId]),
      ],
    );
    digests[tableName] = digest;
  }
  return digests;
}

async function ask(
  gateway: Json,
  key: string,
  body: { query: string; variables?: object },
): Promise<Json> {
  const isLive = body.query.startsWith('subscription');
  const response: Response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: {
      authorization: key,
      'content-type': 'application/json',
      accept: isLive ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.json();
  return (await firstEvent(response)) ?? { errors: [{ message: 'waits' }] };
}

/** The first event of a stream that is over or has one; undefined for a stream that waits. */
async function firstEvent(response: Response): Promise<Json> {
  const reader = response.body?.getReader();
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, 1_000);
  try {
    for (let text = ''; ; ) {
      const part = await Promise.race([reader?.read(), late.promise]);
      if (!part || part.done) return undefined;
      text += Buffer.from(part.value).toString();
      const [, data] = /^data: (\{.*\})$/m.exec(text) ?? [];
      if (data) return JSON.parse(data);
    }
  } finally {
    clearTimeout(timer);
    void reader?.cancel();
  }
}

test('no answer shows the address of a page to a key that may not do what the page does', async ({
  database: { orm },
  gateway,
}) => {
  const { session, key } = await aTenant(orm.em);
  // A clock has an id of its own, which no refusal may name.
  const ids = await oneOfEach(session, (await aTestClock(session)).id);
  const { id } = await aPaidInvoice(session, { token: 'sandbox_action_success' });
  const [payment] = await fresh(session).em.find(Payment, { invoice: id });
  const names: Record<string, string> = { ...ids, Payment: payment?.id ?? '', Invoice: id };
  const whole = graphqlOf(gateway, key);
  const { data } = await whole(
    `query($checkout: ID!, $setup: ID!, $payment: ID!) {
      checkoutSession(id: $checkout) { url }
      paymentMethodSetup(id: $setup) { url }
      payment(id: $payment) { actionUrl } }`,
    { checkout: names.CheckoutSession, setup: names.PaymentMethodSetup, payment: names.Payment },
  );
  // The part that opens the page, wherever it is shown.
  const lastPart = (url: string) => new URL(url).pathname.replace(/^.*\//, '');
  const addresses = {
    payment_methods_write: [lastPart(data.paymentMethodSetup.url)],
    payments_write: [lastPart(data.payment.actionUrl), new URL(data.checkoutSession.url).search],
  } as const;
  const all = Object.values(addresses).flat();
  for (const address of all) expect(address).toMatch(/.{20}/);

  /** The addresses that any query, live update or list of REST shows to a key. */
  async function shownTo(credential: string): Promise<Set<string>> {
    const texts: string[] = [];
    for (const operation of operations.filter(({ kind }) => kind === 'query')) {
      const { variables } = argumentsOf(operation, names);
      const query = documentOf(operation, 'secret');
      const subjects = operation.name === 'node' ? Object.values(names) : [undefined];
      for (const id of subjects) {
        const sent = { query, variables: { ...variables, ...(id && { id }) } };
        texts.push(JSON.stringify(await ask(gateway, credential, sent)));
      }
    }
    const records = ['payments', 'invoices', 'checkout-sessions', 'subscriptions', 'events'];
    const single = [`invoices/${names.Invoice}`, `checkout-sessions/${names.CheckoutSession}`];
    for (const path of [...records.map((one) => `${one}?limit=100`), ...single]) {
      const headers = { authorization: credential };
      const response = await gateway.fetch(`http://test/api/v1/${path}`, { headers });
      texts.push(JSON.stringify([...response.headers]) + (await response.text()));
    }
    const text = texts.join('\n');
    return new Set(all.filter((address) => text.includes(address)));
  }

  // No row has them in clear either, but for the names of pages, which are the sandbox's own.
  const rows = await session.em.execute<{ text: string }[]>(
    `select row_to_json(t)::text as text from payment t union all select row_to_json(t)::text from event t
     union all select row_to_json(t)::text from payment_method_setup t
     union all select row_to_json(t)::text from checkout_session t`,
  );
  const stored = rows.map(({ text }) => text).join('\n');
  const urls = [data.checkoutSession.url, data.paymentMethodSetup.url, data.payment.actionUrl];
  for (const url of urls) expect(stored).not.toContain(url);

  expect(await shownTo(key)).toEqual(new Set(all));
  const others = accessScopes.filter((scope) => !Object.hasOwn(addresses, scope));
  for (const scopes of [others, ...Object.keys(addresses).map((scope) => ['read', scope])]) {
    const apiKey = { name: 'Part', scopes: [...scopes] as never };
    const { token } = await createApiKey(fresh(session), { apiKey });
    const own = scopes.flatMap((scope) => addresses[scope as keyof typeof addresses] ?? []);
    expect(await shownTo(token), scopes.join()).toEqual(new Set(own));
  }
});

test('every mutation declares its scope, and each scope is used', () => {
  const mutations = operations.filter(({ kind }) => kind === 'mutation').map(({ name }) => name);
  expect(Object.keys(mutationScopes).sort()).toEqual(mutations.sort());
});

test('the live feed of a token emits the events of its customer and no other', async ({
  gateway,
  victim: { session },
}) => {
  const { customerId } = await aSubscription(session);
  await aSubscription(session);
  const { token } = await createCustomerToken(fresh(session), { customer: customerId });
  const visible = { customerId, objectType: { $in: [...customerKinds] } };
  const expected = await fresh(session).em.count(Event, visible);
  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: {
      authorization: token,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { events(after: 0) { customerId objectType } }' }),
  });
  const seen: Json[] = [];
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString();
    seen.push(
      ...[...rest.matchAll(/^data: (\{.*\})\n/gm)].map(
        ([, data = '']) => JSON.parse(data).data.events,
      ),
    );
    rest = rest.slice(rest.lastIndexOf('\n') + 1);
    if (seen.length >= expected) break;
  }
  expect(seen).toHaveLength(expected);
  for (const event of seen) expect(event.customerId).toBe(customerId);
});

test('REST answers a token with its own records, or refuses', async ({
  gateway,
  victim,
  attackers,
}) => {
  const { key, shared } = attackers['a customer token of another customer'] as Attacker;
  const secrets = Object.entries(victim.ids).filter(([type]) => !shared.includes(type));
  const statuses = new Set<string>();
  for (const { method, path } of routes) {
    for (const [type, id] of path.includes(':') ? secrets : [['', '']]) {
      const { externalId = '' } = victim.names;
      const address = path.replaceAll(/:\w+/g, (name) =>
        name === ':externalId' ? externalId : (id ?? ''),
      );
      const response = await gateway.fetch(`http://test/api/v1${address}`, {
        method,
        headers: { authorization: key, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{}' }),
      });
      const text = await response.text();
      const what = `${method} ${address} ${type} ${response.status} ${text.slice(0, 300)}`;
      statuses.add(`${method} ${response.status}`);
      if (path.includes(':')) expect([400, 403, 404], what).toContain(response.status);
      else for (const [, secret] of secrets) expect(text, what).not.toContain(secret);
    }
  }
  expect([...statuses]).toContain('GET 200');
});

test('REST and live updates need the scopes of a key, too', async ({
  gateway,
  attackers,
  victim,
}) => {
  const { key } = attackers['a read-only key'] as Attacker;
  const api = apiOf(gateway, key);
  const { externalId } = victim.names;
  expect((await api('GET', `/customers/${externalId}`)).status).toBe(200);
  const refused = await api('PUT', `/customers/${externalId}`, { customer: { name: 'Other' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  const graphql = graphqlOf(gateway, key);
  const create = `mutation($scopes: [ApiKeyScope!]) {
    createApiKey(apiKey: { name: "More", scopes: $scopes }) { apiKey { scopes } token } }`;
  expect((await graphql(create)).errors[0].extensions.code).toBe('FORBIDDEN');
  const { data } = await graphqlOf(gateway, victim.key)(create, {
    scopes: ['api_keys_write', 'customer_tokens_write', 'claims_write'],
  });
  const scoped = graphqlOf(gateway, data.createApiKey.token);
  expect((await scoped(create)).data.createApiKey.apiKey.scopes).toEqual(
    data.createApiKey.apiKey.scopes,
  );
  const more = await scoped(create, { scopes: ['invoices_write'] });
  expect(more.errors[0]).toMatchObject({
    extensions: {
      code: 'FORBIDDEN',
      issues: [{ message: 'the calling key lacks invoices_write' }],
    },
  });
  const rotate = `mutation { rotateApiKey(id: "${victim.session.apiKeyId}") { token } }`;
  expect((await scoped(rotate)).errors[0].extensions.code).toBe('FORBIDDEN');
  const token = `mutation($scopes: [CustomerTokenScope!]) {
    createCustomerToken(customer: "${victim.ids.Customer}", scopes: $scopes) { customerToken { scopes } } }`;
  expect((await scoped(token, { scopes: ['payments_write'] })).errors[0].extensions.code).toBe(
    'FORBIDDEN',
  );
  const fitting = await scoped(token, { scopes: ['claims_write'] });
  expect(fitting.data.createCustomerToken.customerToken.scopes).toEqual(['read', 'claims_write']);
});

test('the guide shows what each credential may do, as the graph decides it', async () => {
  const guide = await readGuide('browser');
  const rows = mutationRows();
  for (const row of rows) expect(guide).toContain(row);
  for (const [kind, title] of [
    ['query', 'queries'],
    ['subscription', 'live updates'],
  ] as const) {
    const names = operations
      .filter(
        (one) =>
          one.kind === kind &&
          !refusalCode({ keyType: 'customer_token', key: '', shared: [] }, one),
      )
      .map(({ name }) => `\`${name}\``);
    expect(guide, title).toContain(`| ${title} | ${names.join(', ')} |`);
  }
});

/** One row a scope: its mutations, and those of them that customer tokens may use. */
function mutationRows(): string[] {
  return accessScopes.map((scope) => {
    const of = operations.filter(
      ({ kind, name }) => kind === 'mutation' && mutationScopes[name] === scope,
    );
    const list = (some: readonly Operation[]) =>
      some.map(({ name }) => `\`${name}\``).join(', ') || '–';
    const ofTokens = of.filter(
      (one) => !refusalCode({ keyType: 'customer_token', key: '', shared: [] }, one),
    );
    return `| \`${scope}\` | ${list(of)} | ${list(ofTokens)} |`;
  });
}
