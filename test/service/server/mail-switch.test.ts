import { afterEach, describe, expect } from 'vitest';
import {
  newSecretsKey,
  secretsKeyFrom,
  secretsKeys,
  useSecretsKeys,
} from '#domain/kernel/security/secrets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { mailSwitchAddress } from '#domain/mail/commands/mails/mail-links.ts';
import { type MailKind, mailKinds, optionalMailKinds } from '#domain/model/mail/mail-kinds.ts';
import { Cause } from '#domain/model/platform/cause.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { mailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import { portalLinkText } from '#domain/platform/access/portal-link.ts';
import { signerFor } from '#domain/platform/access/signing-key.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { createLogger } from '#server/observability/logger.ts';
import { loggedPaths } from '#server/request-log/logged-path.ts';
import { createGateway } from '#server/yoga.ts';
import { aCustomer, fresh } from '../../support/factories.ts';
import { aCardMail, aSendingSession, mailsOf } from '../../support/mails.ts';
import { test as base } from '../../support/test.ts';

const usualKeys = secretsKeys();
afterEach(() => useSecretsKeys(usualKeys));

const oneClick = 'List-Unsubscribe=One-Click';
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const boundary = '---FormBoundaryjWmhtjORrn';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const multipartBody = `${part('List-Unsubscribe', 'One-Click')}--${boundary}--\r\n`;

const test = base.extend('visit', ({ gateway }) => {
  /** A program without cookies, which follows no redirect. */
  return async (path: string, init: RequestInit = {}) => {
    const response = await gateway.fetch(`http://test${path}`, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
});

const post = (body: string, headers: HeadersInit = urlencoded) => ({
  method: 'POST',
  body,
  headers,
});

const offOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).mailsOff;

describe('one POST of a program for mails (RFC 8058)', () => {
  test.for([
    ['urlencoded', oneClick, urlencoded],
    ['multipart', multipartBody, multipart],
    ['multipart without a line at its end', multipartBody.slice(0, -2), multipart],
  ] as const)(
    'that is %s switches one kind off, is answered with 200, and acts once',
    async ([, body, headers], { session, visit }) => {
      const { id: customerId } = await aCustomer(session);
      const link = mailSwitchLink({ customerId, kind: 'alert', epoch: 0 });
      for (let times = 0; times < 2; times++) {
        const answer = await visit(link, post(body, headers));
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
        expect(answer.text).toContain('These mails are off');
        expect(await offOf(session, customerId)).toEqual(['alert']);
      }
      const { em } = fresh(session);
      const events = await em.find(Event, { objectId: customerId, type: 'customer.updated' });
      expect(events).toHaveLength(1);
      const cause = await em.findOneOrFail(Cause, { id: events[0]?.cause ?? '' });
      expect(cause).toMatchObject({ actorType: 'system', actorId: 'mail-switch' });
    },
  );

  test.for([
    ['an empty body', '', urlencoded],
    ['another value', 'List-Unsubscribe=Two-Clicks', urlencoded],
    ['another type', oneClick, { 'content-type': 'text/plain' }],
    ['no boundary', multipartBody, { 'content-type': 'multipart/form-data' }],
    ['a broken part', multipartBody.slice(0, 60), multipart],
    [
      'a file in place of the text',
      multipartBody.replace('"\r\n\r\nOne', '"; filename="x"\r\n\r\nOne'),
      multipart,
    ],
    ['more bytes than a form has', `${oneClick}&x=${'x'.repeat(5_000)}`, urlencoded],
    ['more bytes in many parts', `${part('x', 'x'.repeat(5_000))}${multipartBody}`, multipart],
  ] as const)('with %s changes nothing', async ([, body, headers], { session, visit }) => {
    const { id: customerId } = await aCustomer(session);
    const link = mailSwitchLink({ customerId, kind: 'alert', epoch: 0 });
    expect((await visit(link, post(body, headers))).status).toBe(400);
    expect(await offOf(session, customerId)).toEqual([]);
  });

  test('drops a mail that waits in the outbox', async ({ session, visit }) => {
    const live = await aSendingSession(session);
    const { customerId } = await aCardMail(live);
    const { customerId: other } = await aCardMail(live);
    await visit(mailSwitchLink({ customerId, kind: 'alert', epoch: 0 }), post(oneClick));
    expect(await mailsOf(live)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    await visit(mailSwitchLink({ customerId, kind: 'card_expiring', epoch: 0 }), post(oneClick));
    expect(await mailsOf(live)).toMatchObject([
      { customerId, status: 'dropped' },
      { customerId: other, status: 'pending' },
    ]);
  });
});

describe('the page of a link', () => {
  test('changes nothing when it is read, and switches off and on with its button', async ({
    session,
    visit,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await updateOrganization(fresh(session), { organization: { name: 'Tolls & Sons' } });
    const link = mailSwitchLink({ customerId, kind: 'card_expiring', epoch: 0 });
    const before = await fresh(session).em.findOneOrFail(Customer, customerId);
    for (const [method, query] of [
      ['GET', ''],
      ['HEAD', ''],
      ['GET', `?${oneClick}`],
      ['GET', '?mails=off'],
    ] as const) {
      const read = await visit(`${link}${query}`, { method });
      expect(read.status).toBe(200);
      if (method === 'GET') expect(read.text).toContain('You receive these mails.');
    }
    const after = await fresh(session).em.findOneOrFail(Customer, customerId);
    expect([after.mailsOff, after.version]).toEqual([[], before.version]);

    const page = await visit(link);
    expect(page.text).toContain('Mails about expiring cards – Tolls &#38; Sons');
    expect(page.text).not.toContain(before.email);
    expect(page.text).not.toContain(before.name);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const [value, stored, words] of [
      ['off', ['card_expiring'], 'These mails are off'],
      ['off', ['card_expiring'], 'These mails are off'],
      ['on', [], 'You receive these mails.'],
    ] as const) {
      const sent = await visit(link, post(`mails=${value}`));
      expect(sent.status).toBe(303);
      const next = new URL(sent.headers.get('location') ?? '', `http://test${link}`);
      expect(next.href).toBe(`http://test${link}`);
      expect(await offOf(session, customerId)).toEqual(stored);
      expect((await visit(next.pathname)).text).toContain(words);
    }
    expect((await visit(link, { method: 'PUT' })).status).toBe(405);
  });

  test('is in the language of the customer, else in that of the mails, else in that of the browser', async ({
    api,
    session,
    visit,
  }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    const link = mailSwitchLink({ customerId, kind: 'alert', epoch: 0 });
    const langOf = async (accept = '') => {
      const { text } = await visit(link, { headers: { 'accept-language': accept } });
      return /<html lang="([^"]+)"/.exec(text)?.[1];
    };
    expect(await langOf('de')).toBe('en');
    await api('PUT', '/mail-settings', { mailSettings: { language: 'de' } });
    expect(await langOf('en')).toBe('de');
    const speak = (language: string) =>
      updateCustomer(fresh(session), { externalId, customer: { language } });
    await speak('en-GB');
    expect(await langOf('de')).toBe('en-GB');
    await speak('fr');
    expect(await langOf('de-AT')).toBe('de-AT');
    expect((await visit(link, { headers: { 'accept-language': 'de' } })).text).toContain(
      'Diese Mails abbestellen',
    );
  });

  test('is that of its own customer and kind: a changed, cut, foreign or old link switches nothing', async ({
    session,
    visit,
  }) => {
    const [mine, other] = [await aCustomer(session), await aCustomer(session)];
    const link = mailSwitchLink({ customerId: mine.id, kind: 'alert', epoch: 0 });
    const foreign = signerFor('billing-portal').sign(`${mine.id}.alert`);
    const portal = portalLinkText({
      ...{ customerId: mine.id, epoch: 0, expiresAt: new Date(Date.now() + 1_000) },
      ...{ apiKeyId: undefined, scopes: [], origins: [] },
    });
    const changed = link.replace(/\.(.)([\w-]{42})$/, (_, first, rest) =>
      first === 'A' ? `.B${rest}` : `.A${rest}`,
    );
    const bad = [
      ...[changed, link.slice(0, -1), `${link}A`, `${link}=`, `${link}/`, '/mail-switch/'],
      link.replace(mine.id, other.id),
      link.replace('.alert.', '.card_expiring.'),
      link.replace('.alert.', '.invoice.'),
      link.replace('.alert.', '..'),
      link.replace(/\.[\w-]{43}$/, ''),
      link.replace(/\.[\w-]{43}$/, `.${foreign}`),
      `/mail-switch/${portal}`,
      // A kind that is always sent, another epoch, and a customer that does not exist, with a right signature.
      mailSwitchLink({ customerId: mine.id, kind: 'invoice' as never, epoch: 0 }),
      mailSwitchLink({ customerId: mine.id, kind: 'alert', epoch: 1 }),
      mailSwitchLink({ customerId: 'cust_none', kind: 'alert', epoch: 0 }),
    ];
    for (const path of bad) {
      for (const init of [{}, post(oneClick), post('mails=off')]) {
        const answer = await visit(path, init);
        expect(answer.status, path).toBe(403);
        expect(answer.text).toContain('This link is not valid');
        expect(answer.text).not.toContain('<form');
      }
    }
    for (const { id } of [mine, other]) expect(await offOf(session, id)).toEqual([]);
    // After a rotation of SECRETS_KEY links work until the old key is removed.
    const next = secretsKeyFrom(newSecretsKey()) ?? never();
    useSecretsKeys([next, ...usualKeys]);
    expect((await visit(link, post(oneClick))).status).toBe(200);
    useSecretsKeys([next]);
    expect((await visit(link)).status).toBe(403);
  });

  test('ends with the archiving of the customer, and that of a later mail with its erasure', async ({
    graphql,
    session,
    visit,
  }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    const [before, link] = [0, 1].map((epoch) =>
      mailSwitchLink({ customerId, kind: 'alert', epoch }),
    ) as [string, string];
    expect((await visit(before)).status).toBe(200);
    await graphql(
      'mutation($id: String!) { archiveCustomer(externalId: $id) { customer { id } } }',
      {
        id: externalId,
      },
    );
    for (const init of [{}, post(oneClick)]) expect((await visit(before, init)).status).toBe(403);
    expect((await visit(link)).status).toBe(200);
    await graphql('mutation($id: ID!) { eraseCustomer(id: $id) { customer { id } } }', {
      id: customerId,
    });
    for (const init of [{}, post(oneClick)]) expect((await visit(link, init)).status).toBe(403);
    expect(await offOf(session, customerId)).toEqual([]);
  });

  test('is refused to too many requests for one customer, and others are served', async ({
    database,
    hub,
    session,
  }) => {
    const { usualLimits } = await import('#config');
    const limits = usualLimits();
    const gateway = createGateway({
      ...{ orm: database.orm, hub, logger: createLogger('silent'), production: true },
      operationTimeLimitSeconds: 30,
      limits: {
        ...limits,
        rates: { ...limits.rates, customer_token: { perSecond: 0.01, burst: 2 } },
      },
    });
    const statusOf = async (customerId: string) =>
      (await gateway.fetch(`http://test${mailSwitchLink({ customerId, kind: 'alert', epoch: 0 })}`))
        .status;
    const [mine, other] = [await aCustomer(session), await aCustomer(session)];
    expect([await statusOf(mine.id), await statusOf(mine.id)]).toEqual([200, 200]);
    const refused = await gateway.fetch(
      `http://test${mailSwitchLink({ customerId: mine.id, kind: 'alert', epoch: 0 })}`,
      post(oneClick),
    );
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await offOf(session, mine.id)).toEqual([]);
    expect(await statusOf(other.id)).toBe(200);
  });
});

test('a link is absolute, exists for optional kinds only, and is not in the log', async ({
  session,
}) => {
  const customer = await aCustomer(session);
  const { id } = customer;
  const kinds = mailKinds.filter((kind: MailKind) => mailSwitchAddress(customer, kind));
  expect(kinds).toEqual(optionalMailKinds);
  const address = mailSwitchAddress(customer, 'alert') ?? '';
  expect(new URL(address).pathname).toBe(
    mailSwitchLink({ customerId: id, kind: 'alert', epoch: 0 }),
  );
  expect(loggedPaths([])(address)).toBe('/mail-switch/*');
});

const never = (): never => {
  throw new Error('The key has another form');
};
