import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { connectProcessor } from '#domain/money/commands/processors/connect-processor.ts';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { parseProcessorsArguments } from '../../../src/tools/processors/arguments.ts';
import { connect, disconnect, lineOf } from '../../../src/tools/processors/commands.ts';
import { aLiveSession, fresh } from '../../support/factories.ts';
import { deliver, post } from '../../support/stripe/deliver.ts';
import { emit } from '../../support/stripe/events.ts';
import { fakeKeys, startFakeStripe } from '../../support/stripe/fake-stripe.ts';
import { aKey } from '../../support/tenant.ts';
import { test as base, graphqlOf } from '../../support/test.ts';

const secret = 'whsec_fakeFakeFake';

const test = base
  .extend('fake', { scope: 'file' }, async ({}, { onCleanup }) => {
    const fake = await startFakeStripe();
    useStripe({ apiBase: fake.url, timeoutMilliseconds: 2_000, maxNetworkRetries: 0 });
    onCleanup(() => fake[Symbol.asyncDispose]());
    return fake;
  })
  .extend('live', ({ session }) => aLiveSession(session));

const anIntent = (id: string | null) => ({
  id: 'pi_1',
  object: 'payment_intent',
  metadata: id ? { payment_id: id } : {},
});

const stored = (session: Session) =>
  session.em.execute<{ event_id: string; status: string; reference: string }[]>(
    `select event_id, e.status, reference from processor_event e
     join processor_account a on a.id = e.processor_account_id where a.organization_id = ? order by e.id`,
    [session.organizationId],
  );

test('an account is connected, re-keyed, refused and disconnected, and no answer has its secrets', async ({
  fake,
  live,
  gateway,
}) => {
  const graphql = graphqlOf(gateway, await aKey(live, 'secret'));
  const connect = (secretKey: string) =>
    graphql(
      `mutation ($secretKey: String!, $webhookSecret: String) {
        connectProcessor(kind: stripe, secretKey: $secretKey, webhookSecret: $webhookSecret) {
          processorAccount { id kind accountReference name keyEnding receivesNotices connected restricted }
        }
      }`,
      { secretKey, webhookSecret: secret },
    );
  const refused = await connect(fakeKeys.test);
  expect(refused.errors[0].extensions.issues).toEqual([
    { code: 'INVALID', path: ['secretKey'], message: expect.stringContaining('key of test mode') },
  ]);
  const first = await connect(fakeKeys.live);
  const { processorAccount: account } = first.data.connectProcessor;
  expect(account).toMatchObject({
    kind: 'stripe',
    accountReference: 'acct_fake1',
    name: 'Test shop',
    keyEnding: '1111',
    receivesNotices: true,
    connected: true,
  });
  const again = await connect(fakeKeys.restricted);
  expect(again.data.connectProcessor.processorAccount).toMatchObject({
    id: account.id,
    restricted: true,
  });
  const other = await connect(fakeKeys.otherAccount);
  expect(other.errors[0].extensions.code).toBe('CONFLICT');
  const disconnect = `mutation ($id: ID!) { disconnectProcessor(id: $id) { processorAccount { connected } } }`;
  const gone = await graphql(disconnect, { id: account.id });
  expect(gone.data.disconnectProcessor.processorAccount).toEqual({ connected: false });
  const later = await connect(fakeKeys.live);
  expect(later.data.connectProcessor.processorAccount.id).toBe(account.id);
  // Nothing that was stored or sent has a secret in clear.
  const { em } = fresh(live);
  const rows = await em.execute(
    `select (select jsonb_agg(to_jsonb(a)) from processor_account a) as accounts,
       (select jsonb_agg(to_jsonb(e)) from event e) as events, (select jsonb_agg(to_jsonb(c)) from cause c) as causes`,
  );
  const answers = JSON.stringify([rows, refused, first, again, other, later]);
  for (const text of [...Object.values(fakeKeys), secret]) expect(answers).not.toContain(text);
  expect((await em.findOneOrFail(ProcessorAccount, account.id)).openSecretKey()).toBe(
    fakeKeys.live,
  );
  expect(fake.seen.every(({ version }) => version === '2026-10-28.endive')).toBe(true);
});

test('the command line connects the organization that it names, and needs a name where there are several', async ({
  database,
  live,
  fake: _,
}) => {
  const em = database.orm.em.fork();
  const given = { secretKey: fakeKeys.live, webhookSecret: secret, publicUrl: undefined };
  const connectFor = (organizationId: string | undefined) =>
    connect(em.fork(), { ...given, organizationId }, new Date());
  await expect(connectFor(undefined)).rejects.toThrow(/There are \d+ organizations: add --organi/);
  await expect(connectFor('org_unknown')).rejects.toThrow('There is no organization org_unknown');
  const { organizationId } = live;
  const parsed = parseProcessorsArguments(['connect', '--organization', organizationId]);
  expect(parsed).toMatchObject({ organizationId });
  const account = await connectFor(organizationId);
  expect(account).toMatchObject({ organizationId, livemode: true, isConnected: true });
  expect(lineOf(account)).toContain(organizationId);
  expect((await disconnect(em.fork(), account.id, new Date())).isConnected).toBe(false);
});

test('with a public address the endpoint is created at Stripe, with the version of the adapter', async ({
  fake,
  live,
}) => {
  const input = { kind: 'stripe', secretKey: fakeKeys.live } as const;
  const account = await connectProcessor(live, input, { publicUrl: 'https://billing.example' });
  const [endpoint] = fake.live.all('we');
  expect(endpoint).toMatchObject({
    url: `https://billing.example/processors/stripe/${live.organizationId}`,
    api_version: '2026-10-28.endive',
  });
  expect(endpoint.enabled_events).toContain('payment_intent.succeeded');
  expect(account.openWebhookSecrets(live.now)).toEqual([endpoint.secret]);
});

describe('an event of Stripe', () => {
  test('is stored once when it is signed, of this mode and of this account', async ({
    fake,
    live,
    gateway,
  }) => {
    const { organizationId } = live;
    const fetch = gateway.fetch as never;
    const event = emit(fake.live, 'payment_intent.succeeded', anIntent('pym_1'));
    const send = (sent: object, options = {}) =>
      deliver(fetch, organizationId, sent, { secret, ...options });
    expect(await send(event)).toBe(404);
    await connectProcessor(live, {
      kind: 'stripe',
      secretKey: fakeKeys.live,
      webhookSecret: secret,
    });
    const statuses = await Promise.all([send(event), send(event), send(event)]);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await stored(live)).toEqual([
      { event_id: event.id, status: 'pending', reference: 'pi_1' },
    ]);
    const other = { ...event, id: 'evt_2' };
    expect(await send({ ...other, livemode: false })).toBe(400);
    expect(await send({ ...other, account: 'acct_fake2' })).toBe(400);
    expect(await send({ ...other, account: 'acct_fake1' })).toBe(200);
    expect(await send(other, { secret: 'whsec_anotherSecret' })).toBe(400);
    expect(await send(other, { signedAt: new Date(Date.now() - 301_000) })).toBe(400);
    expect(await send(emit(fake.live, 'invoice.paid', { id: 'in_1', object: 'invoice' }))).toBe(
      200,
    );
    const foreign = emit(fake.live, 'payment_intent.succeeded', anIntent(null));
    expect(await send(foreign)).toBe(200);
    expect(await post(fetch, organizationId, JSON.stringify(event), '')).toBe(400);
    expect(await post(fetch, organizationId, '{}', 't=1,v1=00')).toBe(400);
    expect(await post(fetch, 'org_unknown', '{}', 't=1,v1=00')).toBe(404);
    expect((await stored(live)).map(({ event_id }) => event_id).sort()).toEqual(
      [event.id, 'evt_2'].sort(),
    );
  });

  test('is accepted with the old secret while the new one replaces it', async ({
    fake,
    live,
    gateway,
  }) => {
    const key = { kind: 'stripe', secretKey: fakeKeys.live } as const;
    await connectProcessor(live, { ...key, webhookSecret: secret });
    await connectProcessor(fresh(live), { ...key, webhookSecret: 'whsec_newFakeSecret' });
    const send = (with_: string) => {
      const event = emit(fake.live, 'payment_intent.succeeded', anIntent('pym_1'));
      return deliver(gateway.fetch as never, live.organizationId, event, { secret: with_ });
    };
    expect(await send(secret)).toBe(200);
    expect(await send('whsec_newFakeSecret')).toBe(200);
    expect(await stored(live)).toHaveLength(2);
  });
});
