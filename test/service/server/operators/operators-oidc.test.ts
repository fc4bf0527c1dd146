import { expect } from 'vitest';
import { readConfig } from '#config';
import { Operator } from '#domain/model/platform/operator.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { fresh } from '../../../support/factories.ts';
import {
  anEmail,
  anInvitation,
  aSecondFactor,
  aSignedIn,
  Browser,
} from '../../../support/operators.ts';
import { type Claims, type Issuer, startIssuer } from '../../../support/outside/oidc-issuer.ts';
import { testAlone } from '../../../support/test.ts';

const client = { clientId: 'tollgate', clientSecret: 'a secret of the client' };

const test = testAlone('its gateway has settings of its own')
  .extend('issuer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const issuer = await startIssuer(client.clientId, client.clientSecret);
    onCleanup(() => issuer[Symbol.asyncDispose]());
    return issuer;
  })
  .extend('gateway', { scope: 'file' }, ({ database, hub, issuer }) =>
    createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('silent'),
      production: false,
      operationTimeLimitSeconds: 30,
      oidc: { ...client, issuer: issuer.url, label: 'Example' },
    }),
  );

const locationOf = (response: Response) => response.headers.get('location') ?? '';

/** Leads the browser to the provider and back, to the address with which the provider answers. */
async function returnFrom(browser: Browser) {
  const begun = await browser.fetch('/auth/oidc');
  const returned = await fetch(locationOf(begun), { redirect: 'manual' });
  return new URL(locationOf(returned));
}

/** Signs in through the provider; returns the address to which the browser is led at the end. */
async function enter(browser: Browser, issuer: Issuer, person: Claims) {
  issuer.person = person;
  const { pathname, search } = await returnFrom(browser);
  const finished = await browser.fetch(pathname + search);
  expect(finished.status).toBe(303);
  return locationOf(finished);
}

const done = 'http://test/';
const refused = (error: string) => `http://test/?error=${error}`;

test('the operator with the verified e-mail is signed in, and tied to the account at the provider', async ({
  gateway,
  database,
  session,
  issuer,
}) => {
  const { email } = await aSignedIn(gateway, database.orm, session.organizationId);
  const browser = new Browser(gateway);
  expect((await browser.get('/auth/session')).body.signIn.oidc).toEqual({ label: 'Example' });
  const person = { sub: `sub ${email}`, email: email.toUpperCase(), email_verified: true };
  expect(await enter(browser, issuer, person)).toBe(done);
  const { body } = await browser.get('/auth/session');
  expect(body.operator.email).toBe(email);
  Object.assign(browser, { csrfToken: body.csrfToken });
  const { data } = await browser.graphql('{ operatorSessions { method isCurrent } }');
  expect(data.operatorSessions[0]).toEqual({ method: 'oidc', isCurrent: true });
  const other = { ...person, sub: 'another account with the same e-mail' };
  expect(await enter(new Browser(gateway), issuer, other)).toBe(refused('oidc_other_identity'));
  expect(await enter(new Browser(gateway), issuer, person)).toBe(done);
});

test('the provider is responsible for the second factor', async ({
  gateway,
  database,
  session,
  issuer,
}) => {
  const operator = await aSignedIn(gateway, database.orm, session.organizationId);
  await aSecondFactor(operator);
  const { email } = operator;
  const person = { sub: email, email, email_verified: true };
  expect(await enter(new Browser(gateway), issuer, person)).toBe(done);
});

test('an unknown, unverified or deactivated person is refused', async ({
  gateway,
  database,
  session,
  issuer,
}) => {
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  const { email } = owner;
  const cases: [Claims, string][] = [
    [{ sub: '1', email: anEmail(), email_verified: true }, 'oidc_unknown'],
    [{ sub: '2', email, email_verified: false }, 'oidc_unverified'],
    [{ sub: '3', email }, 'oidc_unverified'],
    [{ sub: '4', email_verified: true }, 'oidc_unverified'],
  ];
  for (const [person, error] of cases) {
    const browser = new Browser(gateway);
    expect(await enter(browser, issuer, person)).toBe(refused(error));
    expect((await browser.get('/auth/session')).status).toBe(401);
  }
  const other = await aSignedIn(gateway, database.orm, session.organizationId, 'support');
  await owner.graphql(
    'mutation($id: ID!) { updateOperator(id: $id, operator: { active: false }) { operator { id } } }',
    {
      id: other.operatorId,
    },
  );
  const gone = { sub: '5', email: other.email, email_verified: true };
  expect(await enter(new Browser(gateway), issuer, gone)).toBe(refused('oidc_unknown'));
});

test('an invited person becomes an operator without a password', async ({
  gateway,
  database,
  session,
  issuer,
}) => {
  const { email, token } = await anInvitation(database.orm, session.organizationId, {
    role: 'finance',
  });
  issuer.thin = true;
  const browser = new Browser(gateway);
  const person = { sub: email, email, email_verified: true, name: 'Grace' };
  expect(await enter(browser, issuer, person)).toBe(done);
  issuer.thin = false;
  const { body } = await browser.get('/auth/session');
  expect(body.operator).toMatchObject({ email, name: 'Grace', role: 'finance' });
  const [operator] = await fresh(session).em.find(Operator, { email });
  expect(operator).toMatchObject({ passwordHash: null, hasPassword: false });
  expect((await new Browser(gateway).signIn(email)).body.code).toBe('INVALID_CREDENTIALS');
  expect((await browser.get(`/auth/invitations/${token}`)).status).toBe(404);
});

test('a return with another state, browser, nonce, audience or signature signs nobody in', async ({
  gateway,
  database,
  session,
  issuer,
}) => {
  const { email } = await aSignedIn(gateway, database.orm, session.organizationId);
  issuer.person = { sub: email, email, email_verified: true };
  const outcome = async (browser: Browser, path: string) => {
    const answer = locationOf(await browser.fetch(path));
    expect((await browser.get('/auth/session')).status).toBe(401);
    return answer;
  };
  const browser = new Browser(gateway);
  const { pathname, search, searchParams } = await returnFrom(browser);
  // Another browser, such as that of a victim to whom the address was sent.
  expect(await outcome(new Browser(gateway), pathname + search)).toBe(refused('oidc_expired'));
  searchParams.set('state', 'another');
  expect(await outcome(browser, `${pathname}?${searchParams}`)).toBe(refused('oidc_failed'));
  for (const fault of ['nonce', 'audience', 'signature'] as const) {
    issuer.fault = fault;
    const browser = new Browser(gateway);
    const { pathname, search } = await returnFrom(browser);
    expect(await outcome(browser, pathname + search), fault).toBe(refused('oidc_failed'));
  }
  issuer.fault = undefined;
  const denied = new Browser(gateway);
  await returnFrom(denied);
  const path = `${pathname}?error=access_denied&state=x`;
  expect(await outcome(denied, path)).toBe(refused('oidc_failed'));
});

test('a provider that cannot be reached leads back to the page, and is asked again', async ({
  database,
  hub,
}) => {
  const issuer = await startIssuer(client.clientId, client.clientSecret);
  await issuer[Symbol.asyncDispose]();
  const gateway = createGateway({
    orm: database.orm,
    hub,
    logger: createLogger('silent'),
    production: false,
    operationTimeLimitSeconds: 30,
    oidc: { ...client, issuer: issuer.url, label: 'Gone' },
  });
  for (let time = 0; time < 2; time++) {
    const answer = await new Browser(gateway).fetch('/auth/oidc');
    expect(locationOf(answer)).toBe(refused('oidc_unavailable'));
  }
});

test('the cookie of the state lives for ten minutes, and below the address of the return only', async ({
  gateway,
}) => {
  const answer = await new Browser(gateway).fetch('/auth/oidc');
  expect(answer.headers.get('set-cookie')?.replace(/=sealed[^;]*/, '=…')).toBe(
    'tollgate_oidc=…; Path=/auth/oidc; Max-Age=600; HttpOnly; SameSite=Lax',
  );
});

test('the settings of the provider belong together, and its address is encrypted', () => {
  const all = {
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'tollgate',
    OIDC_CLIENT_SECRET: 'secret',
  };
  expect(readConfig(all).oidc).toEqual({
    issuer: 'https://id.example.com',
    clientId: 'tollgate',
    clientSecret: 'secret',
    label: 'Single sign-on',
  });
  expect(readConfig({}).oidc).toBeUndefined();
  expect(() => readConfig({ ...all, OIDC_CLIENT_SECRET: '' })).toThrow('belong together');
  expect(() => readConfig({ ...all, OIDC_ISSUER: 'http://id.example.com' })).toThrow('https://');
});
