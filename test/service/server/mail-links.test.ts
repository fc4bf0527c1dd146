// @module-tag long
import type { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect } from 'vitest';
import {
  accessScopes,
  customerTokenScopes,
  hasScope,
  operatorRoles,
  scopesOfRole,
} from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { resendMail } from '#domain/mail/commands/mails/resend-mail.ts';
import { saveMailTemplate } from '#domain/mail/commands/mails/save-mail-template.ts';
import { updateMailSettings } from '#domain/mail/commands/mails/update-mail-settings.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { rotateDocumentSecret } from '#domain/platform/commands/organizations/document-secret.ts';
import { loggedPaths } from '#server/request-log/logged-path.ts';
import { follow } from '../../support/answers/follow.ts';
import { aCustomer, anOpenInvoice, aPaidInvoice, fresh } from '../../support/factories.ts';
import {
  aCardMail,
  aCardMailTo,
  aMailer,
  aSendingSession,
  aSentInvoice,
  mailsOf,
} from '../../support/mails.ts';
import { aSignedIn } from '../../support/operators.ts';
import {
  aMailServer,
  answer,
  bodyOf,
  type ReceivedMail,
} from '../../support/outside/mail-server.ts';
import { apiOf, graphqlOf, testAlone } from '../../support/test.ts';

type Opened = 'portal' | 'document' | 'switch';

/** The paths of links in a text, also within other addresses. */
const linksIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/\/(?:portal\/(?:open|embed)|documents|mail-switch)\/[^\s"'<>\\]+/g)].map(
      ([found]) => found.replaceAll('&amp;', '&'),
    ),
  ),
];

const kindOf = (path: string): Opened =>
  path.startsWith('/documents/') ? 'document' : path.startsWith('/portal/') ? 'portal' : 'switch';

const test = testAlone('a mailer sends the mails of all organizations').extend(
  'open',
  ({ gateway, database }) => {
    /** Follows links. Returns what each of them opens, and the scopes of the sessions. */
    return async (links: readonly string[]) => {
      const opened: Opened[] = [];
      const scopes = new Set<string>();
      for (const each of links) {
        const before = await countOf(database.orm.em);
        const { status } = await gateway.fetch(`http://test${each}`, {
          redirect: 'manual',
        });
        if (status === 200 || status === 303) opened.push(kindOf(each));
        const tokens = await tokensAfter(database.orm.em, before);
        for (const token of tokens) for (const scope of token.scopes) scopes.add(scope);
      }
      return { opened: opened.sort(), scopes: [...scopes].sort() };
    };
  },
);

const countOf = (em: EntityManager) =>
  em.fork().count(CustomerToken, {}, { filters: { tenant: false } });

const tokensAfter = async (em: EntityManager, count: number) =>
  em
    .fork()
    .find(
      CustomerToken,
      {},
      { filters: { tenant: false }, orderBy: { position: 'asc' }, offset: count },
    );

const bodyWith = (content: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${content}</mj-text></mj-column></mj-section></mj-body></mjml>`;

/** A template that shows every link of a kind also as text, as a part of another address, and in its subject. */
const shownTwice = (names: readonly string[]) => ({
  subject: `News ${names.map((name) => `{{${name}}}`).join(' ')}`,
  mjml: bodyWith(
    names
      .map(
        (name) =>
          `<a href="{{${name}}}">{{${name}}}</a> <a href="https://clicks.example/?to={{${name}}}">x</a>`,
      )
      .join(' '),
  ),
});

/** Every text of every row of the database. */
async function everyText({ em }: Session): Promise<string> {
  const fork = em.fork();
  const tables = await fork.execute<{ name: string }[]>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const texts = tables.map(
    ({ name }) => `select string_agg(to_jsonb(t)::text, e'\\n') as text from ${name} t`,
  );
  const rows = await fork.execute<{ text: string | null }[]>(texts.join(' union all '));
  return rows.map(({ text }) => text ?? '').join('\n');
}

const both = (mail: ReceivedMail) => `${bodyOf(mail, 'text/plain')}\n${bodyOf(mail, 'text/html')}`;

describe('no row holds a link of a mail that opens anything', () => {
  test('written, refused, tried again, sent and resent, and each attempt sends the same links', async ({
    database: { orm },
    session,
    open,
  }) => {
    const live = await aSendingSession(session);
    const turns: (string | undefined)[] = ['quote', undefined];
    const contents: string[] = [];
    const server = await aMailServer({
      async onContent(source) {
        const mail = { from: '', to: [], source };
        contents.push(both(mail));
        // Some filters quote what they refuse.
        if (turns.shift()) throw answer(421, `refused ${linksIn(both(mail)).join(' ')}`);
      },
    });
    const template = shownTwice(['links.portal', 'links.mailSwitch']);
    await saveMailTemplate(fresh(live), { kind: 'card_expiring', language: 'en', template });
    await aCardMail(live);
    const mailer = aMailer(orm, server.url);
    await mailer.send();
    const closed = async (what: string) => {
      const links = linksIn(await everyText(live));
      expect(links.length, what).toBeGreaterThan(0);
      expect(await open(links), what).toEqual({ opened: [], scopes: [] });
    };
    await closed('refused');
    const hour = 3_600_000;
    await mailer.send(new Date(Date.now() + hour));
    await closed('sent');
    expect(linksIn(contents[1] ?? '')).toEqual(linksIn(contents[0] ?? ''));
    const [mail] = await mailsOf(live);
    expect(mail).toMatchObject({ status: 'sent', attemptCount: 2 });
    await resendMail(fresh(live), { id: mail?.id ?? '' });
    await mailer.send(new Date(Date.now() + 2 * hour));
    await closed('resent');
    const invoice = await aSentInvoice(live);
    await mailer.send(new Date(Date.now() + 3 * hour));
    await closed('with a document');
    const [first, again, last] = server.received;
    for (const received of [first, again]) {
      const links = linksIn(both(received ?? never()));
      for (const each of links) expect(loggedPaths([])(each)).toMatch(/\/(open|mail-switch)\/\*$/);
      const { opened, scopes } = await open(links);
      expect(new Set(opened)).toEqual(new Set(['portal', 'switch']));
      expect(scopes).toEqual([...customerTokenScopes].sort());
    }
    expect(last?.source).toContain(invoice.invoiceNumber);
    expect((await open(linksIn(both(last ?? never())))).opened).toEqual(['document', 'portal']);
    // A new secret ends them, and not those of a later attempt.
    await rotateDocumentSecret(fresh(live));
    expect((await open(linksIn(both(last ?? never())))).opened).toEqual(['portal']);
  });

  test('a name that imitates links shows its reader nothing of others', async ({
    database: { orm },
    session,
    open,
  }) => {
    const live = await aSendingSession(session);
    let isBusy = false;
    const server = await aMailServer({
      async onContent() {
        if (isBusy) throw answer(421, 'busy');
      },
    });
    const victim = await aSentInvoice(live);
    const mailer = aMailer(orm, server.url);
    await mailer.send();
    const stolen = linksIn(both(server.received[0] ?? never()));
    const imitated = ['invoice', 'receipt'].map(
      (kind) => `/documents/${kind}/${victim.id}?signature=hidden`,
    );
    const { customerId, externalId } = await aCardMail(live);
    const named = (name: string) => updateCustomer(fresh(live), { externalId, customer: { name } });
    const away = ['https://evil.example', 'https://evil.example/?to=http://test'];
    await named(
      away.flatMap((to) => [`${to}/portal/open/hidden`, `${to}/portal/open/x`]).join(' '),
    );
    isBusy = true;
    await mailer.send(new Date(Date.now() + 1_000));
    isBusy = false;
    await mailer.send(new Date(Date.now() + 3_600_000));
    const [, retried] = server.received;
    expect(both(retried ?? never())).not.toContain('evil.example');
    await named(['/portal/open/hidden', ...imitated].join(' '));
    await aCardMailTo(live, customerId);
    await mailer.send(new Date(Date.now() + 3_700_000));
    const [, , received] = server.received;
    const { opened } = await open(linksIn(both(received ?? never())));
    expect(new Set(opened)).toEqual(new Set(['portal', 'switch']));
    const tokens = await fresh(live).em.find(CustomerToken, {});
    expect(new Set(tokens.map((token) => token.customer.id))).toEqual(new Set([customerId]));
    // A template is trusted with names, and all the same opens no document of another customer.
    const template = { subject: 'News', mjml: bodyWith(imitated.join(' ')) };
    await saveMailTemplate(fresh(live), { kind: 'card_expiring', language: 'en', template });
    await aCardMailTo(live, customerId);
    await mailer.send(new Date(Date.now() + 3_800_000));
    const [, , , templated] = server.received;
    expect(both(templated ?? never())).toContain(victim.id);
    expect((await open(linksIn(both(templated ?? never())))).opened).not.toContain('document');
    // A working link in a name is not stored with the mail either.
    await named(stolen.join(' '));
    await aCardMailTo(live, customerId);
    await mailer.send(new Date(Date.now() + 3_900_000));
    const last = (await mailsOf(live)).at(-1);
    expect(last?.status).toBe('sent');
    expect(await open(linksIn(`${last?.text} ${last?.html}`))).toEqual({ opened: [], scopes: [] });
  });
});

const everything = `query($id: ID!, $customer: ID!) {
  mail(id: $id) { subject text html problem attempts { response error } }
  node(id: $id) { ... on Mail { text html } }
  mails(first: 100) { nodes { text html } }
  customer(id: $customer) { mails(first: 100) { nodes { text html } } }
}`;

describe('the links in an answer do no more than their reader may', () => {
  /** A caught mail of each kind of link, to one customer. */
  async function caughtMails(session: Session, mailer: ReturnType<typeof aMailer>) {
    const { customerId } = await anOpenInvoice(session);
    const { id } = await aPaidInvoice(session);
    await aCardMailTo(session, customerId);
    await mailer.send();
    const mails = await mailsOf(session);
    return { mails, invoiceId: id };
  }

  test('of keys with each set of scopes, over GraphQL, live lists and REST', async ({
    database: { orm },
    gateway,
    session,
    graphql,
    open,
  }) => {
    const { mails } = await caughtMails(session, aMailer(orm));
    const [receipt] = mails;
    const card = mails.find(({ kind }) => kind === 'card_expiring') ?? never();
    expect(receipt).toMatchObject({ kind: 'receipt', status: 'caught' });
    const sets = [
      null,
      ...accessScopes.map((scope) => [scope]),
      ['customer_tokens_write', 'claims_write', 'payments_write'],
      ['customer_tokens_write', 'customers_write'],
      accessScopes.filter((scope) => scope !== 'customer_tokens_write'),
    ] as const;
    for (const scopes of sets) {
      const created = await graphql(
        `mutation($scopes: [ApiKeyScope!]) { createApiKey(apiKey: { name: "K", scopes: $scopes }) { token } }`,
        { scopes },
      );
      const { token } = created.data.createApiKey;
      const shown: string[] = [];
      const api = apiOf(gateway, token);
      for (const mail of [receipt ?? never(), card]) {
        const variables = { id: mail.id, customer: mail.customerId };
        const answered = await graphqlOf(gateway, token)(everything, variables);
        expect(answered.errors).toBeUndefined();
        shown.push(JSON.stringify(answered.data));
        shown.push(JSON.stringify((await api('GET', `/mails/${mail.id}`)).body));
        shown.push(JSON.stringify((await api('POST', `/mails/${mail.id}/resend`)).body));
      }
      await aMailer(orm).send(new Date(Date.now() + 60_000));
      const live = await follow(
        gateway,
        token,
        'subscription { customers { nodes { mails(first: 10) { nodes { text html } } } } }',
      );
      shown.push(JSON.stringify(await live.next()));
      live.leave();
      expect(shown.at(-1)).toContain('/portal/open/');
      const { opened, scopes: granted } = await open(linksIn(shown.join('\n')));
      const may = hasScope(scopes, 'customer_tokens_write');
      const expected = new Set(may ? ['document', 'portal'] : []);
      if (may && hasScope(scopes, 'customers_write')) expected.add('switch');
      expect(new Set(opened), `${scopes}`).toEqual(expected);
      for (const scope of granted) {
        if (scope !== 'read') expect(hasScope(scopes, scope as never), `${scopes}`).toBe(true);
      }
    }
  });

  test('of operators with each role, and of customer tokens', async ({
    database: { orm },
    gateway,
    session,
    graphql,
    open,
  }) => {
    const { mails } = await caughtMails(session, aMailer(orm));
    const [receipt] = mails;
    const variables = { id: receipt?.id, customer: receipt?.customerId };
    for (const role of operatorRoles) {
      const browser = await aSignedIn(gateway, orm, session.organizationId, role);
      const { data } = await browser.graphql(everything, variables, {
        'tollgate-pricing-model': session.pricingModelId,
      });
      expect(data.mail.html, role).toContain('/portal/open/');
      const { opened, scopes } = await open(linksIn(JSON.stringify(data)));
      const own = scopesOfRole[role];
      const may = hasScope(own, 'customer_tokens_write');
      expect(opened.includes('portal'), role).toBe(may);
      expect(opened.includes('switch'), role).toBe(may && hasScope(own, 'customers_write'));
      if (!may) expect(opened, role).toEqual([]);
      for (const scope of scopes)
        expect(hasScope(own, scope as never), `${role} ${scope}`).toBe(true);
    }
    const created = await graphql(
      `mutation($id: ID!, $scopes: [CustomerTokenScope!]) { createCustomerToken(customer: $id, scopes: $scopes) { token } }`,
      { id: receipt?.customerId, scopes: customerTokenScopes },
    );
    const token = graphqlOf(gateway, created.data.createCustomerToken.token);
    const seen = await token('query($id: ID!) { node(id: $id) { ... on Mail { text html } } }', {
      id: receipt?.id,
    });
    const links = linksIn(JSON.stringify(seen));
    expect(await open(links)).toEqual({ opened: [], scopes: [] });
  });

  test('not for an archived customer, and only until the key is revoked', async ({
    database: { orm },
    gateway,
    session,
    graphql,
    open,
  }) => {
    const { mails } = await caughtMails(session, aMailer(orm));
    const [mail] = mails;
    const variables = { id: mail?.id, customer: mail?.customerId };
    const { data } = await graphql(
      'mutation { createApiKey(apiKey: { name: "K" }) { token apiKey { id } } }',
    );
    const { token, apiKey } = data.createApiKey;
    const read = async () =>
      linksIn(JSON.stringify((await graphqlOf(gateway, token)(everything, variables)).data.mail));
    const links = await read();
    expect((await open(links)).opened).toContain('portal');
    await graphql('mutation($id: ID!) { revokeApiKey(id: $id) { apiKey { id } } }', {
      id: apiKey.id,
    });
    expect((await open(links)).opened).not.toContain('portal');
    const { externalId } = await fresh(session).em.findOneOrFail(Customer, mail?.customerId ?? '');
    await graphql(
      'mutation($id: String!) { archiveCustomer(externalId: $id) { customer { id } } }',
      {
        id: externalId,
      },
    );
    const shown = (await graphql(everything, variables)).data.mail;
    expect(await open(linksIn(JSON.stringify(shown)))).toEqual({ opened: [], scopes: [] });
  });

  test('not in a preview, whose links are samples', async ({ graphql, session, open }) => {
    const { id } = await anOpenInvoice(session);
    const { data } = await graphql(
      'mutation($id: ID!) { previewMail(kind: invoice, about: $id) { mailPreview { subject text html } } }',
      { id },
    );
    const links = linksIn(JSON.stringify(data));
    expect(links.length).toBeGreaterThan(0);
    for (const each of links) expect(each).toMatch(/\/sample$/);
    expect(await open(links)).toEqual({ opened: [], scopes: [] });
  });
});

const revoke = 'mutation($id: ID!) { revokeCustomerTokens(customer: $id) { revokedCount } }';

test('the revocation of the tokens of a customer ends all its links, and no other', async ({
  database: { orm },
  gateway,
  session,
  open,
}) => {
  const live = await aSendingSession(session, ['card_expiring']);
  const { token } = await createApiKey(fresh(live), { apiKey: { name: 'Live' } });
  const graphql = graphqlOf(gateway, token);
  const server = await aMailServer();
  const mailer = aMailer(orm, server.url);
  const [one, other] = [await aCardMail(live), await aCardMail(live)];
  await mailer.send();
  const billing = `query($id: String!) { customerBilling(externalId: $id) {
    billingPortalUrl embeddedPortalUrl(origins: ["https://app.example.com"]) } }`;
  const linksOf = async ({ customerId, externalId }: typeof one) => {
    const { data } = await graphql(billing, { id: externalId });
    const mails = server.received.filter(({ source }) => source.includes(`/${customerId}.`));
    const sent = mails.flatMap((mail) => linksIn(both(mail)));
    return [...new Set([...sent, ...linksIn(JSON.stringify(data))])];
  };
  const [ended, kept] = [await linksOf(one), await linksOf(other)];
  const all = ['portal', 'portal', 'portal', 'switch'];
  expect((await open(ended)).opened).toEqual(all);
  const before = await fresh(live).em.findOneOrFail(Customer, one.customerId);
  expect((await graphql(revoke, { id: one.customerId })).errors).toBeUndefined();
  expect((await open(ended)).opened).toEqual([]);
  expect((await open(kept)).opened).toEqual(all);
  // Editors of the customer need not read it again.
  const after = await fresh(live).em.findOneOrFail(Customer, one.customerId);
  expect([after.version, after.linkEpoch]).toEqual([before.version, 1]);
  // Its next mails and links work.
  await aCardMailTo(live, one.customerId);
  await mailer.send(new Date(Date.now() + 1_000));
  const later = (await linksOf(one)).filter((each) => !ended.includes(each));
  expect((await open(later)).opened).toEqual(all);
});

test('revocations that meet end the links once more each, and no session outlives them', async ({
  session,
  graphql,
  open,
}) => {
  const { id, externalId } = await aCustomer(session);
  const { data } = await graphql(
    'query($id: String!) { customerBilling(externalId: $id) { billingPortalUrl } }',
    { id: externalId },
  );
  const links = linksIn(JSON.stringify(data));
  expect(links).toHaveLength(1);
  await Promise.all([
    ...[1, 2, 3].map(() => graphql(revoke, { id })),
    ...[1, 2, 3].map(() => open(links)),
  ]);
  const { em } = fresh(session);
  expect((await em.findOneOrFail(Customer, id)).linkEpoch).toBe(3);
  expect(await em.count(CustomerToken, { customer: id, revokedAt: null })).toBe(0);
  expect((await open(links)).opened).toEqual([]);
});

test('the settings name the days for which a link to the portal in a mail is valid', async ({
  database: { orm },
  session,
  api,
}) => {
  const live = await aSendingSession(session, ['invoice']);
  const daysOf = async (mail: ReceivedMail | undefined) => {
    const [portal = ''] = linksIn(both(mail ?? never())).filter((each) =>
      each.includes('/portal/'),
    );
    const expiry = Number.parseInt(portal.split('.')[1] ?? '', 36);
    return (expiry - Date.now()) / 86_400_000;
  };
  const server = await aMailServer();
  const mailer = aMailer(orm, server.url);
  await aSentInvoice(live);
  await mailer.send();
  expect(await daysOf(server.received[0])).toBeCloseTo(14, 1);
  await updateMailSettings(fresh(live), { mailSettings: { portalLinkDays: 2 } });
  await aSentInvoice(live);
  await mailer.send(new Date(Date.now() + 1_000));
  expect(await daysOf(server.received[1])).toBeCloseTo(2, 1);
  const changed = await api('PUT', '/mail-settings', { mailSettings: { portalLinkDays: 90 } });
  expect(changed).toMatchObject({ status: 200, body: { mailSettings: { portalLinkDays: 90 } } });
  for (const portalLinkDays of [0, 91]) {
    const refused = await api('PUT', '/mail-settings', { mailSettings: { portalLinkDays } });
    expect(refused.status).toBe(400);
  }
});

const never = (): never => {
  throw new Error('There is no such mail');
};
