import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { createOnce } from '#server/idempotency/idempotency.ts';
import { startServer } from '#server/server.ts';
import { aCustomer, aPaidInvoice, fresh } from '../../../support/factories.ts';
import { type Answer, graphqlOf, testAlone } from '../../../support/test.ts';

interface Asked {
  readonly query: string;
  readonly variables?: object;
  readonly extensions?: object;
}

const test = testAlone('it changes the database or its connections').extend(
  'post',
  ({ gateway, tenant }) => {
    return async (asked: Asked, headers: Record<string, string> = {}): Promise<Answer> => {
      const response = await gateway.fetch('http://test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: tenant.key, ...headers },
        body: JSON.stringify(asked),
      });
      return { status: response.status, body: await response.json(), headers: response.headers };
    };
  },
);

const query = `mutation ($slug: String!) { createResource(resource: { slug: $slug, name: "Seats" }) { resource { id slug } } }`;
const seats = { query, variables: { slug: 'seats' } };
const under = (key: string) => ({ 'idempotency-key': key });
const countOf = ({ em }: Session) => em.fork().count(Resource);

describe('a mutation with an Idempotency-Key', () => {
  test('happens once, by header or by extensions, and a repeat states so', async ({
    post,
    session,
  }) => {
    const first = await post(seats, under('a'));
    expect(first.body.extensions).toBeUndefined();
    const repeats = [
      await post(seats, under('a')),
      await post({ ...seats, extensions: { idempotencyKey: 'a' } }),
    ];
    for (const repeat of repeats) {
      expect(repeat.body).toEqual({
        data: first.body.data,
        extensions: { idempotentReplayed: true },
      });
      expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await countOf(session)).toBe(1);
  });

  test('is refused with other variables, and replays a refusal as it was', async ({
    post,
    session,
  }) => {
    await post(seats, under('a'));
    const other = await post({ query, variables: { slug: 'rooms' } }, under('a'));
    expect(other.body.errors[0].extensions.code).toBe('BAD_REQUEST');
    const refused = await post(seats, under('b'));
    const { body } = await post(seats, under('b'));
    expect(refused.body.errors[0].extensions.code).toBe('BAD_REQUEST');
    const [{ message, path, extensions }] = refused.body.errors;
    expect(body).toEqual({
      data: { createResource: null },
      errors: [{ message, path, extensions }],
      extensions: { idempotentReplayed: true },
    });
    expect(await countOf(session)).toBe(1);
  });

  test('has the same keys as REST', async ({ post, api }) => {
    await api(
      'POST',
      '/resources',
      { resource: { slug: 'a', name: 'A' } },
      { headers: under('a') },
    );
    const { body } = await post(seats, under('a'));
    expect(body.errors[0].message).toMatch(/^Idempotency-Key a was used for another request/);
  });

  test('of several fields takes effect as a whole: trouble with one undoes the others', async ({
    post,
    session,
  }) => {
    const two = `mutation {
      createResource(resource: { slug: "seats", name: "Seats" }) { resource { id } }
      createProduct(product: { name: "Pro", slug: "pro" }, price: { type: single_payment, unitPrice: 1 }) { product { id } }
    }`;
    const em = session.em.fork();
    await em.execute('alter table product rename to product_away');
    const failed = await post({ query: two }, under('a'));
    await em.execute('alter table product_away rename to product');
    expect(failed.body.errors).toHaveLength(1);
    expect(failed.body.data).toBeNull();
    expect(await countOf(session)).toBe(0);
    const { body } = await post({ query: two }, under('a'));
    expect(body.errors).toBeUndefined();
    expect(await countOf(session)).toBe(1);
    expect(await session.em.fork().count(Product, { slug: 'pro' })).toBe(1);
  });

  test('of several fields keeps the answers beside a refusal, and replays both', async ({
    post,
    session,
  }) => {
    const two = `mutation {
      a: createResource(resource: { slug: "seats", name: "Seats" }) { resource { slug } }
      b: createResource(resource: { slug: "seats", name: "Taken" }) { resource { slug } }
    }`;
    const first = await post({ query: two }, under('a'));
    expect(first.body.data).toEqual({ a: { resource: { slug: 'seats' } }, b: null });
    const { body } = await post({ query: two }, under('a'));
    expect(body.data).toEqual(first.body.data);
    expect(body.errors[0].extensions.code).toBe('BAD_REQUEST');
    expect(await countOf(session)).toBe(1);
  });

  test('that moves money is alone, and moves it once', async ({ post, session }) => {
    const { id: customerId } = await aCustomer(session);
    const add = `mutation ($c: ID!) {
      createPaymentMethod(paymentMethod: { customerId: $c, type: card, token: "sandbox_success" }) { paymentMethod { id } }
    }`;
    const asked = { query: add, variables: { c: customerId } };
    const first = await post(asked, under('a'));
    expect((await post(asked, under('a'))).body.data).toEqual(first.body.data);
    const second = add.replace(
      '{ id } }',
      '{ id } } createTestClock(testClock: {frozenTime: 0}) { testClock { id } }',
    );
    const refused = await post({ query: second, variables: { c: customerId } }, under('b'));
    expect(refused.body.errors[0].message).toMatch(/must be the only field/);
    // Clients with a cache ask for the type of the root, too.
    const typed = add.replace('createPaymentMethod', '__typename createPaymentMethod');
    const { body } = await post({ query: typed, variables: { c: customerId } }, under('c'));
    expect(body.data).toMatchObject({
      createPaymentMethod: { paymentMethod: { id: expect.any(String) } },
    });
  });

  test('refunds once, also through a key that has taken the place of the first', async ({
    post,
    session,
    gateway,
    graphql,
  }) => {
    const { id } = await aPaidInvoice(session);
    const payment = await session.em.fork().findOneOrFail(Payment, { invoice: id });
    const variables = { id: payment.id };
    const refund =
      'mutation ($id: ID!) { refundPayment(id: $id, partialAmount: 100) { payment { refundedAmount } } }';
    const first = await post({ query: refund, variables }, under('a'));
    expect(first.body.data.refundPayment.payment.refundedAmount).toBe(100);
    const rotated = await graphql('mutation ($id: ID!) { rotateApiKey(id: $id) { token } }', {
      id: session.apiKeyId,
    });
    const key = rotated.data.rotateApiKey.token;
    const repeat = await graphqlOf(gateway, key)(refund, variables, { headers: under('a') });
    expect(repeat.data.refundPayment.payment.refundedAmount).toBe(100);
    expect(repeat.extensions.idempotentReplayed).toBe(true);
  });

  test('happens once over WebSocket', async ({ gateway, hub, tenant, session }) => {
    await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: tenant.key },
    });
    const send = () =>
      client.iterate({ ...seats, extensions: { idempotencyKey: 'a' } }).next() as Promise<{
        // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
        value: any;
      }>;
    const [first, repeat] = [await send(), await send()];
    await client.dispose();
    expect(first.value.data.createResource.resource.slug).toBe('seats');
    expect(repeat.value).toEqual({
      data: first.value.data,
      extensions: { idempotentReplayed: true },
    });
    expect(await countOf(session)).toBe(1);
  });

  test('a query ignores it', async ({ post, session }) => {
    const asked = { query: '{ resources { totalCount } }' };
    const before = await post(asked, under('a'));
    await post(seats, under('a'));
    const after = await post(asked, under('a'));
    expect([before, after].map(({ body }) => body.data.resources.totalCount)).toEqual([0, 1]);
    expect(await countOf(session)).toBe(1);
  });
});

describe('Two processes with the same request that moves money', () => {
  test('answer the same, whichever of them stores its answer first', async ({
    database,
    session,
  }) => {
    const attempt = { key: 'twice', fingerprint: 'the same' };
    const began: PromiseWithResolvers<void>[] = [];
    const ends: PromiseWithResolvers<void>[] = [];
    const attemptOf = (process: number, status: string) => {
      began[process] = Promise.withResolvers<void>();
      ends[process] = Promise.withResolvers<void>();
      return createOnce(database.orm)(fresh(session), {
        attempt,
        atomic: false,
        inSteps: true,
        isAlone: true,
        async run(session) {
          await firstStep(session, async () => ({ id: 'sub_1' }));
          began[process]?.resolve();
          await ends[process]?.promise;
          return { data: { status } };
        },
      });
    };
    const first = attemptOf(0, 'active');
    await began[0]?.promise;
    // The client has lost the connection to the first process, and asks the second one.
    const second = attemptOf(1, 'incomplete');
    await began[1]?.promise;
    ends[1]?.resolve();
    expect(await second).toEqual({ data: { status: 'incomplete' } });
    ends[0]?.resolve();
    const replay = { data: { status: 'incomplete' }, extensions: { idempotentReplayed: true } };
    expect(await first).toEqual(replay);
    expect(await attemptOf(2, 'canceled')).toEqual(replay);
  });
});
