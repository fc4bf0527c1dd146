// @module-tag long
import { expect } from 'vitest';
import { Event } from '#domain/model/platform/event.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorSession } from '#domain/model/platform/operator-session.ts';
import { signerFor } from '#domain/platform/access/signing-key.ts';
import {
  purgeOperatorSessions,
  purgeSignInAttempts,
} from '#domain/platform/commands/operators/purge-operator-sessions.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { fresh } from '../../../support/factories.ts';
import {
  anEmail,
  anInvitation,
  aSecondFactor,
  aSignedIn,
  Browser,
  codeOf,
  password,
} from '../../../support/operators.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const viewer = '{ viewer { kind role scopes livemode organization { id } pricingModel { id } } }';

test('an invited person sets a password, is signed in, and signs in again later', async ({
  gateway,
  database,
  session,
}) => {
  const { organizationId } = session;
  const { token, email } = await anInvitation(database.orm, organizationId, { role: 'finance' });
  const browser = new Browser(gateway);
  const shown = await browser.get(`/auth/invitations/${token}`);
  expect(shown).toMatchObject({
    status: 200,
    body: { kind: 'invitation', email, role: 'finance', organization: { id: organizationId } },
  });
  const accepted = await browser.post('/auth/invitations/accept', { token, name: 'Ada', password });
  expect(accepted).toMatchObject({
    status: 200,
    body: {
      operator: { email, name: 'Ada', role: 'finance', hasSecondFactor: false },
      organization: { id: organizationId, name: 'Test' },
      scopes: expect.arrayContaining(['read', 'invoices_write', 'account_write']),
    },
  });
  expect((await browser.get('/auth/session')).body).toEqual(accepted.body);
  const other = new Browser(gateway);
  expect(await other.get('/auth/session')).toMatchObject({
    status: 401,
    body: { signIn: { accounts: true, oidc: null } },
  });
  const signedIn = await other.signIn(email.toUpperCase());
  expect(signedIn).toMatchObject({ status: 200, body: { operator: { email } } });
  expect((await other.graphql(viewer)).data.viewer).toMatchObject({
    kind: 'operator',
    role: 'finance',
    livemode: false,
    organization: { id: organizationId },
    pricingModel: { id: session.pricingModelId },
  });
});

test('an invitation works once, also when it is accepted twice at the same time', async ({
  gateway,
  database,
  session,
}) => {
  const { token, email } = await anInvitation(database.orm, session.organizationId);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      new Browser(gateway).post('/auth/invitations/accept', { token, name: 'Ada', password }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  expect(await fresh(session).em.count(Operator, { email })).toBe(1);
  expect((await new Browser(gateway).get(`/auth/invitations/${token}`)).status).toBe(404);
});

test('a revoked or replaced invitation, and a weak password, are refused', async ({
  gateway,
  database,
  session,
}) => {
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  const invite = `mutation($email: String!) {
    inviteOperator(email: $email, role: developer) { url operatorInvitation { id role email } } }`;
  const email = anEmail();
  const first = (await owner.graphql(invite, { email })).data.inviteOperator;
  const second = (await owner.graphql(invite, { email })).data.inviteOperator;
  const tokenOf = ({ url }: { url: string }) =>
    /^http:\/\/test\/invitations\/(\w{43})$/.exec(url)?.[1];
  const browser = new Browser(gateway);
  expect((await browser.get(`/auth/invitations/${tokenOf(first)}`)).status).toBe(404);
  const weak = { token: tokenOf(second), name: 'Ada', password: 'short' };
  expect(await browser.post('/auth/invitations/accept', weak)).toMatchObject({
    status: 400,
    body: { issues: [{ code: 'TOO_SHORT', path: ['password'] }] },
  });
  const revoke = `mutation($id: ID!) { revokeOperatorInvitation(id: $id) { operatorInvitation { revokedAt } } }`;
  await owner.graphql(revoke, { id: second.operatorInvitation.id });
  expect((await browser.get(`/auth/invitations/${tokenOf(second)}`)).status).toBe(404);
  const own = await owner.graphql(invite, { email: owner.email });
  expect(own.errors[0].extensions.issues).toMatchObject([{ code: 'TAKEN', path: ['email'] }]);
});

test('the cookie of a session is for this host and no script, and secure over https', async ({
  database,
  hub,
  session,
}) => {
  const cookieAt = async (publicUrl: string | undefined) => {
    const gateway = createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('silent'),
      production: false,
      operationTimeLimitSeconds: 30,
      publicUrl,
    });
    const { token } = await anInvitation(database.orm, session.organizationId);
    const browser = new Browser(gateway, publicUrl ? new URL(publicUrl).origin : undefined);
    const { headers } = await browser.post('/auth/invitations/accept', {
      token,
      name: 'Ada',
      password,
    });
    return headers.get('set-cookie')?.replace(/=\w{43};/, '=…;');
  };
  const life = 'Max-Age=604800; HttpOnly; SameSite=Strict';
  expect(await cookieAt(undefined)).toBe(`tollgate_session=…; Path=/; ${life}`);
  expect(await cookieAt('https://billing.example.com')).toBe(
    `__Host-tollgate_session=…; Path=/; ${life}; Secure`,
  );
  expect(await cookieAt('https://example.com/billing')).toBe(
    `__Secure-tollgate_session=…; Path=/billing; ${life}; Secure`,
  );
});

test('a request with the cookie needs the token against CSRF and no foreign origin', async ({
  gateway,
  database,
  session,
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  const ask = async (headers: Record<string, string>) =>
    (await browser.post('/graphql', { query: viewer }, headers)).status;
  const csrf = { 'tollgate-csrf': browser.csrfToken };
  expect(await ask(csrf)).toBe(200);
  expect(await ask({})).toBe(401);
  expect(await ask({ 'tollgate-csrf': `${browser.csrfToken}x` })).toBe(401);
  expect(await ask({ ...csrf, origin: 'https://evil.example' })).toBe(401);
  expect(await ask({ ...csrf, 'sec-fetch-site': 'same-site' })).toBe(401);
  const rest = (headers: Record<string, string>) =>
    browser.fetch('/api/v1/usage-meters', { headers });
  expect((await rest(csrf)).status).toBe(200);
  expect((await rest({})).status).toBe(401);
  const foreign = { origin: 'https://evil.example' };
  for (const path of ['/auth/sign-in', '/auth/sign-out', '/auth/invitations/accept']) {
    expect((await browser.post(path, { email: browser.email, password }, foreign)).status).toBe(
      403,
    );
  }
  expect((await browser.post('/auth/sign-out', {})).status).toBe(401);
  const form = await browser.fetch('/auth/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ email: browser.email, password }),
  });
  expect(form.status).toBe(400);
  const preflight = await browser.fetch('/auth/sign-in', { method: 'OPTIONS', headers: foreign });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  expect(await ask(csrf)).toBe(200);
});

test('signing out ends the session, and a change of the password ends the others', async ({
  gateway,
  database,
  session,
}) => {
  const first = await aSignedIn(gateway, database.orm, session.organizationId);
  const second = new Browser(gateway);
  await second.signIn(first.email);
  const change = `mutation($current: String!, $next: String!) {
    changePassword(current: $current, next: $next) { operator { email passwordChangedAt } } }`;
  const next = 'another good password';
  const wrong = await second.graphql(change, { current: 'wrong', next });
  expect(wrong.errors[0].extensions.issues).toMatchObject([
    { code: 'MISMATCH', path: ['current'] },
  ]);
  const changed = await second.graphql(change, { current: password, next });
  expect(changed.data.changePassword.operator.email).toBe(first.email);
  expect((await first.get('/auth/session')).status).toBe(401);
  expect((await first.signIn(first.email)).body.code).toBe('INVALID_CREDENTIALS');
  expect((await first.signIn(first.email, undefined, next)).status).toBe(200);
  const token = { 'tollgate-csrf': second.csrfToken };
  const kept = second.cookie;
  const out = await second.post('/auth/sign-out', undefined, token);
  expect(out.status).toBe(204);
  expect(second.cookie).toBe('');
  const again = await second.fetch('/graphql', {
    method: 'POST',
    headers: { ...token, cookie: kept, 'content-type': 'application/json' },
    body: JSON.stringify({ query: viewer }),
  });
  expect(again.status).toBe(401);
  expect((await first.get('/auth/session')).status).toBe(200);
});

test('a session ends after its time, and after a pause without requests', async ({
  gateway,
  database,
  session,
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  const status = async () => (await browser.get('/auth/session')).status;
  const shift = (column: string, interval: string) =>
    database.orm.em.execute(
      `update operator_session set created_at = created_at - interval '30 d', ${column} = now() - interval '${interval}'
       where operator_id = ?`,
      [browser.operatorId],
    );
  await shift('last_seen_at', '11 h');
  expect(await status()).toBe(200);
  expect((await browser.graphql(viewer)).data.viewer.role).toBe('owner');
  const [{ seen }] = await database.orm.em.execute<[{ seen: boolean }]>(
    `select last_seen_at > now() - interval '1 minute' as seen from operator_session where operator_id = ?`,
    [browser.operatorId],
  );
  expect(seen).toBe(true);
  await shift('last_seen_at', '12 h 1 s');
  expect(await status()).toBe(401);
  await shift('last_seen_at', '1 s');
  expect(await status()).toBe(200);
  await shift('expires_at', '1 s');
  expect(await status()).toBe(401);
});

test('a second factor is asked for after the password, and no code works twice', async ({
  gateway,
  database,
  session,
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  const { secret, url, recoveryCodes, operator } = await aSecondFactor(browser);
  expect(operator.hasSecondFactor).toBe(true);
  expect(url).toMatch(/^otpauth:\/\/totp\/Tollgate:.*secret=/);
  expect(recoveryCodes).toHaveLength(10);
  const other = new Browser(gateway);
  const codes = async (...given: (string | undefined)[]) => {
    const outcomes: string[] = [];
    for (const code of given) {
      const { status, body } = await other.signIn(browser.email, code);
      outcomes.push(status === 200 ? 'in' : body.code);
    }
    return outcomes;
  };
  expect(await codes(undefined)).toEqual(['CODE_REQUIRED']);
  // The code that has confirmed the factor is used up; so is each one that has signed in.
  expect(await codes(codeOf(secret))).toEqual(['INVALID_CODE']);
  const next = codeOf(secret, 1);
  expect(await codes(next, next)).toEqual(['in', 'INVALID_CODE']);
  const [recovery] = recoveryCodes;
  expect(await codes(recovery.toUpperCase(), recovery)).toEqual(['in', 'INVALID_CODE']);
  const wrong = await new Browser(gateway).signIn(
    browser.email,
    codeOf(secret, 1),
    'wrong password',
  );
  expect(wrong.body.code).toBe('INVALID_CREDENTIALS');
  const remove =
    'mutation($code: String!) { removeSecondFactor(code: $code) { operator { hasSecondFactor } } }';
  expect((await other.graphql(remove, { code: '000000' })).errors[0].extensions.code).toBe(
    'BAD_REQUEST',
  );
  const removed = await other.graphql(remove, { code: recoveryCodes[1] });
  expect(removed.data.removeSecondFactor.operator).toEqual({ hasSecondFactor: false });
  expect((await new Browser(gateway).signIn(browser.email)).status).toBe(200);
});

test('the same code at the same time signs in once', async ({ gateway, database, session }) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  const { secret } = await aSecondFactor(browser);
  const code = codeOf(secret, 1);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => new Browser(gateway).signIn(browser.email, code)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
});

const idOf = (email: string) => signerFor('sign-in-attempt').sign(`account ${email}`);

test('failures pause the sign-in of an account, whether it exists or not', async ({
  gateway,
  database,
  session,
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  for (const email of [browser.email, anEmail()]) {
    const guess = (given = 'wrong password') =>
      new Browser(gateway).signIn(email, undefined, given);
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess()));
    const compared = answers.filter(({ status }) => status === 401).length;
    // A slow machine lets pauses of 2, 4 and 8 seconds pass meanwhile.
    const pauses = Math.floor(Math.log2((performance.now() - began) / 2_000 + 1));
    expect(compared).toBeGreaterThanOrEqual(6);
    expect(compared).toBeLessThanOrEqual(6 + pauses);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    await database.orm.em.execute(
      `update sign_in_attempt set blocked_until = now() + interval '1 hour' where id = ?`,
      [idOf(email)],
    );
    expect((await guess(password)).status).toBe(429);
    // Each further failure doubles the pause.
    const pauseAfter = async (failures: number) => {
      const [row] = await database.orm.em.execute<{ pause: number }[]>(
        `update sign_in_attempt set failures = ?, blocked_until = failed_at
         where id = ? returning 0 as pause`,
        [failures - 1, idOf(email)],
      );
      expect(row).toBeDefined();
      await guess();
      const [{ pause }] = await database.orm.em.execute<[{ pause: number }]>(
        `select round(extract(epoch from blocked_until - failed_at))::int as pause from sign_in_attempt
         where id = ?`,
        [idOf(email)],
      );
      return pause;
    };
    expect(await pauseAfter(5)).toBe(0);
    expect(await pauseAfter(6)).toBe(2);
    expect(await pauseAfter(9)).toBe(16);
    expect(await pauseAfter(60)).toBe(900);
  }
  await database.orm.em.execute('update sign_in_attempt set blocked_until = failed_at');
  expect((await browser.signIn(browser.email)).status).toBe(200);
});

test('failures from one address pause it for all accounts, and no other address', async ({
  gateway,
  database,
  session,
}) => {
  const { email } = await aSignedIn(gateway, database.orm, session.organizationId);
  const from = (address: string) => Object.assign(new Browser(gateway), { address });
  for (let count = 0; count < 21; count++) {
    const answer = await from('192.0.2.7').signIn(anEmail());
    expect(answer.body.code).toBe('INVALID_CREDENTIALS');
  }
  expect((await from('192.0.2.7').signIn(email)).status).toBe(429);
  expect((await from('192.0.2.8').signIn(email)).status).toBe(200);
});

test('each sign-in, failure and change of an account is an event with its actor and cause', async ({
  gateway,
  database,
  session,
}) => {
  const browser = await aSignedIn(gateway, database.orm, session.organizationId);
  await browser.signIn(browser.email);
  await new Browser(gateway).signIn(browser.email, undefined, 'wrong password');
  await aSecondFactor(browser);
  await expect
    .poll(() => fresh(session).em.count(Event, { type: 'operator.sign_in_failed' }))
    .toBe(1);
  const { data } = await browser.graphql(`{ auditLog(first: 50, where: { type: { in: [
      "operator.created", "operator.signed_in", "operator.sign_in_failed", "operator.second_factor_added",
      "operator_invitation.accepted", "operator_session.created", "operator_session.revoked"] } }) {
    nodes { type objectId data actor { type id operator { email } } cause { operation { fields method route } } } } }`);
  const found = data.auditLog.nodes;
  const typesOf = found.map(({ type }: { type: string }) => type);
  for (const type of [
    'operator.created',
    'operator.signed_in',
    'operator.sign_in_failed',
    'operator.second_factor_added',
    'operator_invitation.accepted',
    'operator_session.created',
    'operator_session.revoked',
  ]) {
    expect(typesOf, type).toContain(type);
  }
  const ofType = (name: string) => found.find(({ type }: { type: string }) => type === name);
  expect(ofType('operator.signed_in')).toMatchObject({
    objectId: browser.operatorId,
    actor: { type: 'operator', id: browser.operatorId, operator: { email: browser.email } },
    cause: { operation: { fields: ['signIn'], method: 'POST', route: '/auth/sign-in' } },
  });
  expect(ofType('operator.sign_in_failed')?.actor).toMatchObject({ type: 'system', id: 'sign-in' });
  expect(ofType('operator.second_factor_added')?.actor.id).toBe(browser.operatorId);
  const text = JSON.stringify(found);
  const [operator] = await fresh(session).em.find(Operator, { id: browser.operatorId });
  for (const secret of [
    operator?.passwordHash,
    operator?.totpSecret,
    ...(operator?.recoveryCodes ?? []),
  ]) {
    expect(secret).toBeTruthy();
    expect(text).not.toContain(secret);
  }
});

test('an address gets its limit of comparisons, however many attempts arrive at the same time', async ({
  gateway,
  database,
  session,
}) => {
  const { email } = await aSignedIn(gateway, database.orm, session.organizationId);
  const from = () => Object.assign(new Browser(gateway), { address: '192.0.2.17' });
  // Who signs in keeps the whole limit.
  for (let count = 0; count < 25; count++) expect((await from().signIn(email)).status).toBe(200);
  const attempts = Array.from({ length: 60 }, () => from().signIn(anEmail()));
  const codes = (await Promise.all(attempts)).map(({ body }) => body.code);
  const compared = codes.filter((code) => code === 'INVALID_CREDENTIALS');
  expect(compared).toHaveLength(21);
  expect(new Set(codes)).toEqual(new Set(['INVALID_CREDENTIALS', 'TOO_MANY_REQUESTS']));
});

test('attempts within a pause of one account pause no other account at the address', async ({
  gateway,
  database,
  session,
}) => {
  const { organizationId } = session;
  const one = await aSignedIn(gateway, database.orm, organizationId);
  const other = await aSignedIn(gateway, database.orm, organizationId);
  const from = () => Object.assign(new Browser(gateway), { address: '192.0.2.27' });
  const wrong = { email: one.email, password: 'not the password of Ada' };
  const codes = [];
  for (let count = 0; count < 40; count++) {
    codes.push((await from().post('/auth/sign-in', wrong)).body.code);
  }
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS').length).toBeGreaterThan(30);
  expect((await from().signIn(other.email)).status).toBe(200);
});

test('a session keeps the address and the browser only where the settings say so', async ({
  database,
  hub,
  session,
}) => {
  for (const auditAddresses of [false, true]) {
    const gateway = createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('silent'),
      production: false,
      operationTimeLimitSeconds: 30,
      auditAddresses,
    });
    const { email } = await aSignedIn(gateway, database.orm, session.organizationId);
    const browser = Object.assign(new Browser(gateway), { address: '192.0.2.9' });
    await browser.post('/auth/sign-in', { email, password }, { 'user-agent': 'Firefox' });
    const { data } = await browser.graphql('{ operatorSessions { address userAgent isCurrent } }');
    expect(data.operatorSessions[0]).toEqual({
      isCurrent: true,
      address: auditAddresses ? '192.0.2.9' : null,
      userAgent: auditAddresses ? 'Firefox' : null,
    });
    expect(data.operatorSessions).toHaveLength(2);
  }
});

test('one active owner always remains, also when two deactivate each other', async ({
  gateway,
  database,
  session,
}) => {
  const one = await aSignedIn(gateway, database.orm, session.organizationId);
  const two = await aSignedIn(gateway, database.orm, session.organizationId);
  const update = `mutation($id: ID!, $operator: UpdateOperatorInput!) {
    updateOperator(id: $id, operator: $operator) { operator { id role active } } }`;
  const [first, second] = await Promise.all([
    one.graphql(update, { id: two.operatorId, operator: { active: false } }),
    two.graphql(update, { id: one.operatorId, operator: { role: 'support' } }),
  ]);
  const refused = [first, second].filter(({ errors }) => errors);
  expect(refused).toHaveLength(1);
  const owners = { role: 'owner', active: true } as const;
  expect(await fresh(session).em.count(Operator, owners)).toBe(1);
  const left = first.errors ? two : one;
  const last = await left.graphql(update, { id: left.operatorId, operator: { role: 'finance' } });
  expect(last.errors[0]).toMatchObject({
    message: expect.stringContaining('last active owner'),
    extensions: { code: 'CONFLICT' },
  });
});

test('a deactivated operator has no session any more, and cannot sign in until activated', async ({
  gateway,
  database,
  session,
}) => {
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  const other = await aSignedIn(gateway, database.orm, session.organizationId, 'support');
  const update = `mutation($id: ID!, $active: Boolean!) {
    updateOperator(id: $id, operator: { active: $active }) { operator { active } } }`;
  await owner.graphql(update, { id: other.operatorId, active: false });
  expect((await other.graphql(viewer)).errors[0].extensions.code).toBe('UNAUTHORIZED');
  expect((await other.signIn(other.email)).body.code).toBe('INVALID_CREDENTIALS');
  await owner.graphql(update, { id: other.operatorId, active: true });
  expect((await other.signIn(other.email)).status).toBe(200);
});

test('an operator of another organization is neither seen nor changed', async ({
  gateway,
  database,
  session,
}) => {
  const owner = await aSignedIn(gateway, database.orm, session.organizationId);
  const { session: foreign } = await aTenant(database.orm.em);
  const stranger = await aSignedIn(gateway, database.orm, foreign.organizationId);
  const { data } = await owner.graphql('{ operators { nodes { id } totalCount } }');
  expect(data.operators).toEqual({ nodes: [{ id: owner.operatorId }], totalCount: 1 });
  const [theirs] = await fresh(foreign).em.find(OperatorSession, {});
  const calls = [
    [`query($id: ID!) { operator(id: $id) { id } }`, stranger.operatorId],
    [
      `mutation($id: ID!) { updateOperator(id: $id, operator: { active: false }) { operator { id } } }`,
      stranger.operatorId,
    ],
    [
      `mutation($id: ID!) { revokeOperatorSession(id: $id) { operatorSession { id } } }`,
      theirs?.id,
    ],
  ] as const;
  for (const [query, id] of calls) {
    expect((await owner.graphql(query, { id })).errors[0].extensions.code, query).toBe('NOT_FOUND');
  }
  const sessions = await owner.graphql(
    'query($id: ID!) { operatorSessions(operator: $id) { id } }',
    {
      id: stranger.operatorId,
    },
  );
  expect(sessions.data.operatorSessions).toEqual([]);
  expect((await stranger.get('/auth/session')).status).toBe(200);
});

test('a job deletes what has ended, and nothing else', async ({ gateway, database, session }) => {
  const { orm } = database;
  const kept = await aSignedIn(gateway, orm, session.organizationId);
  const ended = await aSignedIn(gateway, orm, session.organizationId);
  await new Browser(gateway).signIn(kept.email, undefined, 'wrong password');
  const em = orm.em.fork();
  await em.execute(
    `update operator_session set created_at = now() - interval '50 d', expires_at = now() - interval '31 d'
     where operator_id = ?`,
    [ended.operatorId],
  );
  const day = 86_400_000;
  const count = async (table: string) => {
    const [row] = await em.execute<{ count: string }[]>(`select count(*) from ${table}`);
    return Number(row?.count);
  };
  const [sessions, attempts] = [await count('operator_session'), await count('sign_in_attempt')];
  expect(await purgeOperatorSessions(em, new Date(Date.now() - 30 * day))).toBe(1);
  expect(await count('operator_session')).toBe(sessions - 1);
  expect((await kept.get('/auth/session')).status).toBe(200);
  expect(await purgeSignInAttempts(em, new Date())).toBe(0);
  expect(await purgeSignInAttempts(em, new Date(Date.now() + 2 * day))).toBe(attempts);
});
