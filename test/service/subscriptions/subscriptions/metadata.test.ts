import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { aCustomer, aProduct } from '../../../support/factories.ts';
import { test as base } from '../../../support/test.ts';

/** Sends metadata as it is written, so that every name reaches the service. */
const test = base.extend('subscribe', ({ api, session }) => async (metadata: string) => {
  const { customerId, priceId } = await someone(session);
  const body = `{"customerId":"${customerId}","priceId":"${priceId}","metadata":${metadata}}`;
  return api('POST', '/subscriptions', body);
});

async function someone(session: Session) {
  const product = await aProduct(session);
  const priceId = (await product.prices.loadItems())[0]?.id;
  return { customerId: (await aCustomer(session)).id, priceId };
}

const entries = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, n])));

describe('metadata', () => {
  test.for([
    '{}',
    '{"a":"","b":0,"c":-0.5,"d":false}',
    '{"b":{},"c":[1,{"d":["e",null]}]}',
    '{"constructor":"x","toString":1,"hasOwnProperty":true,"":"empty"}',
    '{"ключ 💸":"знач 💸","a.b":"\\u2028"}',
    `{"${'k'.repeat(255)}":"${'v'.repeat(500)}"}`,
    entries(50),
  ])('%s is kept as it is', async (metadata, { api, subscribe }) => {
    const { status, body } = await subscribe(metadata);
    expect(status).toBe(200);
    expect(body.subscription.metadata).toEqual(JSON.parse(metadata));
    const stored = (await api('GET', `/subscriptions/${body.subscription.id}`)).body.subscription;
    expect(stored.metadata).toEqual(JSON.parse(metadata));
  });

  test('null is as good as none, and so is an entry that is null', async ({ subscribe }) => {
    expect((await subscribe('null')).body.subscription.metadata).toBeNull();
    const { metadata } = (await subscribe('{"a":null,"b":"kept"}')).body.subscription;
    expect(metadata).toEqual({ b: 'kept' });
  });

  test('__proto__ is no name: it is refused aloud, and changes no object', async ({
    subscribe,
  }) => {
    const { status, body } = await subscribe('{"__proto__":"x","a":1}');
    expect(status).toBe(400);
    expect(body.issues[0].message).toContain('__proto__');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    await subscribe('{"__proto__":{"polluted":true},"a":1}');
    expect({}).not.toHaveProperty('polluted');
  });

  test.for([
    ['{"a":1e400}', 'metadata.a: must be a text'],
    [`{"a":"${'v'.repeat(501)}"}`, 'metadata.a: '],
    [`{"${'k'.repeat(256)}":1}`, 'metadata.'],
    ['{"a\\u0000":1}', 'metadata.'],
    ['{"a":"\\ud800"}', 'metadata.a: must be well-formed'],
    [entries(51), 'metadata: has more than 50 entries'],
    ['[]', 'metadata: '],
    ['"text"', 'metadata: '],
  ] as const)('%s is refused with its place', async ([metadata, text], { subscribe }) => {
    const { status, body } = await subscribe(metadata);
    expect(status).toBe(400);
    expect(body.issues[0].message).toContain(text);
  });
});
