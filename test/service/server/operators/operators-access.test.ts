// @module-tag long
import { expect } from 'vitest';
import { usualLimits } from '#config';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import {
  accessScopes,
  accountScopes,
  type CallerScope,
  operatorRoles,
  scopesOfRole,
} from '#domain/kernel/access-scopes.ts';
import { readGuide } from '#rest/guides/index.ts';
import { mutationScopes } from '#schema/engine/access-table.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import {
  argumentsOf,
  documentOf,
  type Operation,
  operations,
} from '../../../support/answers/all-operations.ts';
import { aCustomer, fresh } from '../../../support/factories.ts';
import { aSignedIn, type Browser } from '../../../support/operators.ts';
import { aTenant } from '../../../support/tenant.ts';
import { graphqlOf, testAlone } from '../../../support/test.ts';

/** Without a rate, since one operator sends hundreds of requests at once. */
const { rates, ...limits } = usualLimits();
const unlimited = { ...limits, rates: { ...rates, secret: { perSecond: 0, burst: 0 } } };

const test = testAlone('its gateway has settings of its own').extend(
  'gateway',
  { scope: 'file' },
  ({ database, hub }) =>
    createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('silent'),
      production: false,
      operationTimeLimitSeconds: 30,
      limits: unlimited,
    }),
);

/** The scopes in which each role may write, apart from its own account. */
const writes = {
  owner: [...accessScopes.filter((scope) => scope !== 'read'), 'operators_write'],
  finance: [
    'customer_tokens_write',
    'customers_write',
    'external_payments_write',
    'invoices_write',
    'payment_methods_write',
    'payments_write',
    'subscriptions_write',
  ],
  developer: [
    'api_keys_write',
    'catalog_write',
    'claims_write',
    'customer_tokens_write',
    'test_clocks_write',
    'usage_write',
    'webhooks_write',
  ],
  support: [],
} satisfies Record<string, readonly CallerScope[]>;

test.for(operatorRoles)(
  'the role %s may use each operation that its scopes allow, and no other; the viewer states which',
  async (role, { gateway, database, session }) => {
    const browser = await aSignedIn(gateway, database.orm, session.organizationId, role);
    const own: readonly string[] = ['read', 'account_write', ...writes[role]];
    const problems: string[] = [];
    const counts = { allowed: 0, refused: 0 };
    const { data } = await browser.graphql('{ viewer { refusedMutations { name scope } } }');
    const stated = new Map<string, string>(
      data.viewer.refusedMutations.map((one: { name: string; scope: string }) => [
        one.name,
        one.scope,
      ]),
    );
    for (const operation of operations.filter(({ name }) => !endsSession(name))) {
      const { kind, name } = operation;
      const expected = own.includes(kind === 'mutation' ? (mutationScopes[name] ?? '') : 'read');
      const codes = await codesOf(browser, operation);
      counts[expected ? 'allowed' : 'refused']++;
      if (codes.includes('INTERNAL_SERVER_ERROR') || codes.includes('FORBIDDEN') === expected) {
        problems.push(`${kind} ${name}: ${codes}`);
      }
      if (
        kind === 'mutation' &&
        stated.get(name) !== (expected ? undefined : mutationScopes[name])
      ) {
        problems.push(`${name} is stated as ${stated.get(name) ?? 'allowed'}`);
      }
    }
    expect(problems).toEqual([]);
    expect(counts.allowed).toBeGreaterThan(100);
    if (role !== 'owner') expect(counts.refused).toBeGreaterThan(20);
  },
);

/** Those of the account have tests of their own: their codes count as failures to sign in. */
const endsSession = (name: string) => /^(changePassword|removeSecondFactor)$/.test(name);

/** The codes of the errors of an operation on objects that do not exist. */
async function codesOf(browser: Browser, operation: Operation): Promise<string[]> {
  // Without an operator, the sessions are the own ones.
  const isOwn = operation.name === 'operatorSessions';
  const { variables } = isOwn ? {} : argumentsOf(operation, { Invoice: 'inv_unknown' });
  const response = await browser.fetch('/graphql', {
    method: 'POST',
    headers: {
      'tollgate-csrf': browser.csrfToken,
      'content-type': 'application/json',
      accept: operation.kind === 'subscription' ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify({ query: documentOf(operation, 'secret'), variables }),
  });
  const text = await beginningOf(response);
  return [...text.matchAll(/"code":"([A-Z_]+)"/g)].map(([, code = '']) => code);
}

/** The whole of an answer, or the beginning of a stream: a refusal arrives before the first wait. */
async function beginningOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.text();
  const reader = response.body?.getReader();
  let text = '';
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, 50);
  try {
    for (;;) {
      const part = await Promise.race([reader?.read(), late.promise]);
      if (!part || part.done) return text;
      text += Buffer.from(part.value).toString();
    }
  } finally {
    clearTimeout(timer);
    void reader?.cancel();
  }
}

test('no API key manages operators or has an account', async ({ graphql }) => {
  const ofAccounts = operations.filter(
    ({ kind, name }) =>
      (kind === 'mutation' && accountScopes.some((scope) => scope === mutationScopes[name])) ||
      name === 'operatorSessions',
  );
  expect(ofAccounts).toHaveLength(9);
  for (const operation of ofAccounts) {
    const { variables } = argumentsOf(operation, { Invoice: 'inv_unknown' });
    const { errors } = await graphql(documentOf(operation, 'secret'), variables);
    expect(errors[0], operation.name).toMatchObject({
      message: expect.stringContaining('for operators who have signed in'),
      extensions: { code: 'FORBIDDEN' },
    });
  }
  const { data } = await graphql('{ viewer { kind role scopes operator { id } apiKey { type } } }');
  expect(data.viewer).toEqual({
    kind: 'api_key',
    role: null,
    scopes: [...accessScopes],
    operator: null,
    apiKey: { type: 'secret' },
  });
});

test('an operator enters both modes and every pricing model of the organization, and no other', async ({
  gateway,
  database,
  session,
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  await aCustomer(session);
  const ask = (headers: Record<string, string>) =>
    browser.graphql(
      '{ viewer { livemode pricingModel { id } } customers { totalCount } }',
      {},
      headers,
    );
  const test = (await ask({})).data;
  expect(test).toEqual({
    viewer: { livemode: false, pricingModel: { id: session.pricingModelId } },
    customers: { totalCount: 1 },
  });
  expect((await ask({ 'tollgate-livemode': 'false' })).data).toEqual(test);
  // Live mode has no catalog yet: it is empty, and a pricing model can be created.
  const live = { 'tollgate-livemode': 'true' };
  expect((await ask(live)).data).toEqual({
    viewer: { livemode: true, pricingModel: null },
    customers: { totalCount: 0 },
  });
  const product = `mutation { createUsageMeter(usageMeter: { name: "Calls", slug: "calls" }, price: { unitPrice: 1, usageEventsPerUnit: 1 }) { usageMeter { id } } }`;
  expect((await browser.graphql(product, {}, live)).errors[0]).toMatchObject({
    message: expect.stringContaining('createPricingModel'),
    extensions: { code: 'BAD_REQUEST' },
  });
  const create = `mutation { createPricingModel(pricingModel: { name: "Live", isDefault: true }) { pricingModel { id livemode } } }`;
  const created = await browser.graphql(create, {}, live);
  const { id } = created.data.createPricingModel.pricingModel;
  expect((await ask(live)).data.viewer).toEqual({ livemode: true, pricingModel: { id } });

  const sibling = await createPricingModel(fresh(session), { pricingModel: { name: 'Sibling' } });
  const other = await ask({ 'tollgate-pricing-model': sibling.id });
  expect(other.data).toEqual({
    viewer: { livemode: false, pricingModel: { id: sibling.id } },
    customers: { totalCount: 0 },
  });
  const { session: foreign } = await aTenant(database.orm.em);
  for (const headers of [
    { 'tollgate-pricing-model': foreign.pricingModelId },
    { 'tollgate-pricing-model': id },
    { 'tollgate-pricing-model': sibling.id, ...live },
  ]) {
    const { errors } = await ask(headers as Record<string, string>);
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
  }
  expect((await ask({ 'tollgate-livemode': 'yes' })).errors[0].extensions.code).toBe('BAD_REQUEST');
});

test('a credential that an operator creates may do no more than the operator', async ({
  gateway,
  database,
  session,
}) => {
  const developer = await aSignedIn(gateway, database.orm, session.organizationId, 'developer');
  const create = `mutation($scopes: [ApiKeyScope!]) {
    createApiKey(apiKey: { name: "Mine", scopes: $scopes }) { apiKey { scopes } token } }`;
  const own = await developer.graphql(create);
  const { apiKey, token } = own.data.createApiKey;
  const allowed = scopesOfRole.developer?.filter((scope) => scope !== 'account_write');
  expect(apiKey.scopes.toSorted()).toEqual(allowed?.toSorted());
  expect((await graphqlOf(gateway, token)('{ viewer { kind } }')).data.viewer.kind).toBe('api_key');
  const more = await developer.graphql(create, { scopes: ['invoices_write'] });
  expect(more.errors[0].extensions.code).toBe('FORBIDDEN');
  const rotate = `mutation { rotateApiKey(id: "${session.apiKeyId}") { token } }`;
  expect((await developer.graphql(rotate)).errors[0].extensions.code).toBe('FORBIDDEN');
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  expect((await owner.graphql(create)).data.createApiKey.apiKey.scopes).toBeNull();
});

test('a change of the role counts from the next request on, and expects a version', async ({
  gateway,
  database,
  session,
}) => {
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  const other = await aSignedIn(gateway, database.orm, session.organizationId, 'support');
  const archive = 'mutation { archiveCustomer(externalId: "none") { customer { id } } }';
  const codeOf = async () => (await other.graphql(archive)).errors[0].extensions.code;
  expect(await codeOf()).toBe('FORBIDDEN');
  const update = `mutation($id: ID!, $version: Int!) {
    updateOperator(id: $id, operator: { role: finance, name: "Grace" }, expectedVersion: $version) { operator { role name version } } }`;
  const stale = await owner.graphql(update, { id: other.operatorId, version: 1_000 });
  expect(stale.errors[0].extensions.issues).toMatchObject([{ code: 'STALE' }]);
  const { data } = await owner.graphql('query($id: ID!) { operator(id: $id) { version } }', {
    id: other.operatorId,
  });
  const { version } = data.operator;
  const changed = await owner.graphql(update, { id: other.operatorId, version });
  expect(changed.data.updateOperator.operator).toEqual({
    role: 'finance',
    name: 'Grace',
    version: version + 1,
  });
  expect(await codeOf()).toBe('NOT_FOUND');
});

test('an operator sees the own sessions, and an owner those of others', async ({
  gateway,
  database,
  session,
}) => {
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  const other = await aSignedIn(gateway, database.orm, session.organizationId, 'support');
  const list = `query($operator: ID) { operatorSessions(operator: $operator, active: true) { id method isCurrent operator { id } } }`;
  const own = await other.graphql(list);
  expect(own.data.operatorSessions).toEqual([
    {
      id: expect.stringMatching(/^operator_session_/),
      method: 'invitation',
      isCurrent: true,
      operator: { id: other.operatorId },
    },
  ]);
  const foreign = await other.graphql(list, { operator: owner.operatorId });
  expect(foreign.errors[0].extensions.code).toBe('FORBIDDEN');
  const seen = await owner.graphql(list, { operator: other.operatorId });
  const [{ id }] = seen.data.operatorSessions;
  const [mine] = (await owner.graphql(list)).data.operatorSessions;
  const revoke =
    'mutation($id: ID!) { revokeOperatorSession(id: $id) { operatorSession { revokedAt } } }';
  const refused = await other.graphql(revoke, { id: mine.id });
  expect(refused.errors[0].extensions.code).toBe('NOT_FOUND');
  expect(
    (await owner.graphql(revoke, { id })).data.revokeOperatorSession.operatorSession.revokedAt,
  ).toBeTruthy();
  expect((await other.get('/auth/session')).status).toBe(401);
});

test('the guide shows the scopes of each role', async () => {
  const guide = await readGuide('operators');
  for (const role of operatorRoles) {
    const scopes = scopesOfRole[role]?.map((scope) => `\`${scope}\``).join(', ') ?? 'all';
    expect(guide).toContain(`| \`${role}\` | ${scopes} |`);
  }
});
