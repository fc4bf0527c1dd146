import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Event } from '#domain/model/platform/event.ts';
import { startServer } from '#server/server.ts';
import {
  aCustomer,
  aPaymentMethod,
  aResource,
  aSubscription,
  fresh,
} from '../../support/factories.ts';
import { test } from '../../support/test.ts';
import { aClockedCustomer, advance, at } from '../../support/time.ts';

const create = (...slugs: string[]) =>
  slugs.map(
    (slug, place) =>
      `r${place}: createResource(resource: {slug: "${slug}", name: "R"}) { resource { slug } }`,
  );
const atomic = (...slugs: string[]) => `mutation @atomic { ${create(...slugs).join(' ')} }`;
const under = (key: string) => ({ headers: { 'idempotency-key': key } });
const slugsOf = async (session: Session) =>
  (await fresh(session).em.find(Resource, {})).map(({ slug }) => slug).toSorted();

describe('an atomic mutation', () => {
  test('executes all of its fields, in their order', async ({ graphql, session }) => {
    const { data } = await graphql(atomic('a', 'b'));
    expect(data).toEqual({ r0: { resource: { slug: 'a' } }, r1: { resource: { slug: 'b' } } });
    expect(await slugsOf(session)).toEqual(['a', 'b']);
  });

  test('changes nothing and emits nothing when one field is refused, and later fields are not tried', async ({
    graphql,
    session,
  }) => {
    await graphql(atomic('a'));
    const events = await fresh(session).em.count(Event);
    const { data, errors } = await graphql(atomic('b', 'a', 'c', 'c'));
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { path: ['r1'], extensions: { issues: [{ code: 'TAKEN', path: ['resource', 'slug'] }] } },
    ]);
    expect(await slugsOf(session)).toEqual(['a']);
    expect(await fresh(session).em.count(Event)).toBe(events);
    // Without the directive each field stands alone.
    await graphql(atomic('b', 'a').replace('@atomic', ''));
    expect(await slugsOf(session)).toEqual(['a', 'b']);
  });

  test('of one field behaves like the field', async ({ graphql, session }) => {
    expect((await graphql(atomic('a'))).errors).toBeUndefined();
    expect((await graphql(atomic('a'))).errors).toHaveLength(1);
    expect(await slugsOf(session)).toEqual(['a']);
  });

  test('is rehearsed as a whole, and fails as a whole in a dry run, too', async ({
    graphql,
    session,
  }) => {
    const dry = { headers: { prefer: 'dry-run' } };
    const planned = await graphql(atomic('a', 'b'), {}, dry);
    expect(planned.data).toEqual({
      r0: { resource: { slug: 'a' } },
      r1: { resource: { slug: 'b' } },
    });
    expect(planned.extensions.effects.events.map(({ type }: { type: string }) => type)).toEqual([
      'resource.created',
      'resource.created',
    ]);
    const refused = await graphql(atomic('a', 'a'), {}, dry);
    expect(refused).toMatchObject({ data: null, errors: [{ path: ['r1'] }] });
    expect(refused.extensions?.effects).toBeUndefined();
    expect(await slugsOf(session)).toEqual([]);
  });

  test('happens once under a key, and a repeat gets its refusal as it was', async ({
    graphql,
    session,
  }) => {
    await graphql(atomic('a', 'b'), {}, under('k'));
    const repeat = await graphql(atomic('a', 'b'), {}, under('k'));
    expect(repeat).toMatchObject({
      data: { r0: { resource: { slug: 'a' } } },
      extensions: { idempotentReplayed: true },
    });
    const refused = await graphql(atomic('c', 'a'), {}, under('l'));
    await fresh(session).em.nativeUpdate(Resource, { slug: 'a' }, { slug: 'z' });
    const again = await graphql(atomic('c', 'a'), {}, under('l'));
    expect(again).toMatchObject({ data: null, extensions: { idempotentReplayed: true } });
    expect(again.errors[0].message).toBe(refused.errors[0].message);
    expect(await slugsOf(session)).toEqual(['b', 'z']);
    const other = await graphql(atomic('d'), {}, under('l'));
    expect(other.errors[0].extensions.issues).toMatchObject([{ code: 'KEY_REUSED', path: [] }]);
  });

  test('refuses a field that needs several transactions, also within a fragment, and names it', async ({
    graphql,
    session,
  }) => {
    const { id } = await aCustomer(session);
    const add = `createPaymentMethod(paymentMethod: { customerId: "${id}", type: card, token: "sandbox_success" }) { paymentMethod { id } }`;
    for (const document of [
      `mutation @atomic { ${create('a')} ${add} }`,
      `mutation @atomic { ${create('a')} ...More } fragment More on Mutation { ${add} }`,
    ]) {
      for (const options of [{}, under('k'), { headers: { prefer: 'dry-run' } }]) {
        const { errors } = await graphql(document, {}, options);
        expect(errors[0].message).toMatch(/^createPaymentMethod charges or refunds/);
      }
    }
    expect(await slugsOf(session)).toEqual([]);
    const safe = `mutation @atomic { ...More } fragment More on Mutation { ${create('a')} }`;
    expect((await graphql(safe, {}, under('safe'))).errors).toBeUndefined();
  });

  test('is no query', async ({ graphql }) => {
    const { errors } = await graphql('query @atomic { resources { totalCount } }');
    expect(errors[0].message).toMatch(/may not be used on QUERY/);
  });

  test('crosses due boundaries first, and then changes a subscription twice', async ({
    graphql,
    session,
  }) => {
    const { customer, clock } = await aClockedCustomer(session);
    await aPaymentMethod(session, customer.id);
    const { id } = await aSubscription(session, { customerId: customer.id });
    await advance(session, { clock }, at('2026-02-27'));
    const { data, errors } = await graphql(
      `mutation ($id: ID!) @atomic {
        one: updateSubscription(id: $id, subscription: { name: "One" }) { subscription { name version } }
        two: cancelSubscription(id: $id, cancellation: { timing: at_end_of_current_billing_period }) { subscription { status version } }
      }`,
      { id },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      one: { subscription: { name: 'One' } },
      two: {
        subscription: {
          status: 'cancellation_scheduled',
          version: data.one.subscription.version + 1,
        },
      },
    });
  });

  test('two at once that want the same rows in another order both happen or are refused, never by half', async ({
    graphql,
    session,
  }) => {
    const [a, b] = [await aResource(session), await aResource(session)];
    const both = (name: string, ids: string[]) =>
      graphql(
        `mutation @atomic { ${ids.map((id, place) => `r${place}: updateResource(id: "${id}", resource: { name: "${name}" }) { resource { id } }`).join(' ')} }`,
      );
    const answers = await Promise.all(
      Array.from({ length: 2 }, (_, turn) =>
        both(`N${turn}`, turn % 2 ? [a.id, b.id] : [b.id, a.id]),
      ),
    );
    for (const { errors } of answers) expect(errors).toBeUndefined();
    const [one, two] = await fresh(session).em.find(Resource, {});
    expect(one?.name).toBe(two?.name);
  });

  test('and its key work over WebSocket', async ({ gateway, hub, tenant, session }) => {
    await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: tenant.key },
    });
    const ask = async (query: string, extensions: Record<string, unknown>) => {
      for await (const result of client.iterate({ query, extensions })) return result;
      return undefined;
    };
    const first = await ask(atomic('a', 'b'), { idempotencyKey: 'w' });
    const repeat = await ask(atomic('a', 'b'), { idempotencyKey: 'w' });
    const refused = await ask(atomic('c', 'c'), {});
    await client.dispose();
    expect(first?.data).toEqual({
      r0: { resource: { slug: 'a' } },
      r1: { resource: { slug: 'b' } },
    });
    expect(repeat).toMatchObject({ data: first?.data, extensions: { idempotentReplayed: true } });
    expect(refused?.data).toBeNull();
    expect(await slugsOf(session)).toEqual(['a', 'b']);
  });
});

describe('a dry run with a key', () => {
  test('is another request than the real one', async ({ graphql, session }) => {
    const document = `mutation { ${create('a')} }`;
    await graphql(document, {}, { headers: { prefer: 'dry-run', 'idempotency-key': 'k' } });
    const real = await graphql(document, {}, under('k'));
    expect(real.errors[0].extensions.issues).toMatchObject([{ code: 'KEY_REUSED' }]);
    expect(await slugsOf(session)).toEqual([]);
  });
});
