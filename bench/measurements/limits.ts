import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

interface Attack {
  readonly name: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly type?: string;
  readonly body: (round: number) => string | Buffer;
  readonly rounds: number;
}

const post = async ({ url }: MeasuredService, key: string, path: string, body: unknown) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many kinds
  return (await response.json()) as any;
};

/** The requests of malicious or careless callers, each with the worst wait of `/health` meanwhile. */
export async function limits() {
  await using service = await startMeasuredService();
  const { url, key, pid } = service;
  const poller = fork(new URL('../load/health-poller.ts', import.meta.url), [`${url}/health`]);
  const worstWait = async () => {
    poller.send('');
    const [worst] = await once(poller, 'message');
    return Math.round(worst as number);
  };
  const memory = () =>
    Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    );

  const { data } = await post(service, key, '/graphql', {
    query: 'mutation { createApiKey(apiKey: { name: "pk", type: publishable }) { token } }',
  });
  const publishable: string = data.createApiKey.token;
  const subscription = await prepare(service);
  await sleep(3_000);
  await worstWait();
  const [only] = process.argv.slice(3);
  for (const attack of attacks(key, publishable, subscription)) {
    if (only && !attack.name.includes(only)) continue;
    const before = memory();
    const statuses = new Map<number | string, number>();
    const started = performance.now();
    for (let round = 0; round < attack.rounds; round++) {
      const headers = {
        'content-type': attack.type ?? 'application/json',
        ...(attack.key && { authorization: `Bearer ${attack.key}` }),
      };
      const body = attack.body(round) as never;
      const status = await fetch(url + attack.path, { method: 'POST', headers, body })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch((error) => `${error.cause?.code ?? error.message}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const took = Math.round((performance.now() - started) / attack.rounds);
    const worst = await worstWait();
    const after = await settled(memory, before + mostGrowth);
    const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    process.stdout.write(
      `${attack.name}: ${answers}, ${took} ms each; /health ≤ ${worst} ms; memory ${before} → ${after} MiB\n`,
    );
  }
  poller.disconnect();
}

/** The memory that may stay in use after an attack, in MiB. */
const mostGrowth = 100;
const longestSettling = 60_000;

/** Waits until the process has returned the memory of a burst, at most a minute. Returns its memory then. */
async function settled(memory: () => number, most: number): Promise<number> {
  const until = performance.now() + longestSettling;
  await sleep(500);
  while (memory() > most && performance.now() < until) await sleep(500);
  return memory();
}

async function prepare(service: MeasuredService) {
  const { key } = service;
  const api = (path: string, body: unknown) => post(service, key, `/api/v1${path}`, body);
  const { usageMeter } = await api('/usage-meters', {
    usageMeter: { name: 'Calls', slug: 'calls' },
    price: { unitPrice: 1, usageEventsPerUnit: 1 },
  });
  const { product } = await api('/products', {
    product: { name: 'Many', slug: 'many' },
    price: { type: 'subscription', slug: 'many', unitPrice: 100, intervalUnit: 'month' },
  });
  for (let n = 0; n < 9; n++) {
    await api('/prices', {
      price: {
        type: 'subscription',
        productId: product.id,
        slug: `p${n}`,
        unitPrice: n,
        intervalUnit: 'month',
      },
    });
  }
  await api('/customers', { customer: { name: 'A', email: 'a@example.com', externalId: 'a' } });
  const { subscription } = await api('/subscriptions', {
    customerExternalId: 'a',
    priceSlug: 'p8',
    doNotCharge: true,
  });
  return {
    id: subscription.id as string,
    meter: usageMeter.id as string,
    product: product.id as string,
  };
}

const megabyte = 1024 * 1024;
const filled = (start: string, part: string, end: string, bytes: number) =>
  start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;

function attacks(
  secret: string,
  publishable: string,
  of: { id: string; meter: string; product: string },
): Attack[] {
  const bulk = (item: string, bytes: number) =>
    filled('{"usageEvents":[', `${item},`, `${item}]}`, bytes);
  const events = (round: number, properties: number, count = 10_000) =>
    `{"usageEvents":[${Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        subscriptionId: of.id,
        usageMeterId: of.meter,
        amount: 1,
        transactionId: `t${round}-${n}`,
        ...(properties && { properties: { text: 'x'.repeat(properties) } }),
      }),
    ).join(',')}]}`;
  const nested = (times: number, inner = 'id'): string =>
    times === 0 ? inner : `prices{product{${nested(times - 1, inner)}}}`;
  const query = (text: string) => JSON.stringify({ query: text });
  const small = 1_000;
  return [
    {
      name: 'H-1 documents of 1 MB without a key',
      path: '/graphql',
      rounds: small,
      body: (n) => query(`{__typename #${n}\u0100${'x'.repeat(1e6)}\n}`),
    },
    {
      name: 'H-1 documents of 30 KB',
      path: '/graphql',
      key: secret,
      rounds: small,
      body: (n) => query(`{__typename #${n}\u0100${'x'.repeat(30_000)}\n}`),
    },
    {
      name: 'H-1 documents of 1,900 tokens',
      path: '/graphql',
      key: publishable,
      rounds: small,
      body: (n) => query(`{a${n}:__typename ${'__typename '.repeat(1_900)}}`),
    },
    {
      name: 'H-2 prices of products of prices',
      path: '/graphql',
      key: publishable,
      rounds: small,
      body: () =>
        query(
          `{${Array.from({ length: 14 }, (_, n) => `a${n}:product(id:"${of.product}"){${nested(5)}}`).join(' ')}}`,
        ),
    },
    {
      name: 'H-2 30 times the dearest catalog',
      path: '/graphql',
      key: secret,
      rounds: 20,
      body: () =>
        query(
          `{${Array.from({ length: 30 }, (_, n) => `a${n}:pricingModels(first:10){nodes{products{prices{product{features{id}}} features{id}} usageMeters{prices{id}}}}`).join(' ')}}`,
        ),
    },
    {
      name: 'introspection, 20 times',
      path: '/graphql',
      key: publishable,
      rounds: 20,
      body: (n) =>
        query(
          `query Q${n} { __schema { types { name fields { name args { name type { name ofType { name ofType { name } } } } type { name ofType { name ofType { name } } } } possibleTypes { name } enumValues { name } inputFields { name type { name ofType { name } } } } } }`,
        ),
    },
    {
      name: 'H-3 webhooks of 300,000 types',
      path: '/api/v1/webhooks',
      key: publishable,
      rounds: small,
      body: () =>
        filled(
          '{"webhook":{"name":"a","url":"https://example.com","filterTypes":[',
          '1,',
          '1]}}',
          600_000,
        ),
    },
    {
      name: 'H-3 the same with a secret key',
      path: '/api/v1/webhooks',
      key: secret,
      rounds: 100,
      body: () =>
        filled(
          '{"webhook":{"name":"a","url":"https://example.com","filterTypes":[',
          '1,',
          '1]}}',
          600_000,
        ),
    },
    {
      name: 'H-3 bulk of 300,000 empty events',
      path: '/api/v1/usage-events/bulk',
      key: publishable,
      rounds: 100,
      body: () => bulk('{}', 900_000),
    },
    {
      name: 'H-3 bulk of 10,000 empty events',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 100,
      body: () => bulk('{}', 30_000),
    },
    {
      name: 'H-3 products with 100,000 features',
      path: '/api/v1/products',
      key: secret,
      rounds: 100,
      body: () => filled('{"featureIds":[', '{},', '{}]}', 300_000),
    },
    {
      name: 'H-3 30 MB of bad items',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 20,
      body: () => bulk('{}', 30 * megabyte),
    },
    {
      name: 'H-3 32 MB of numbers elsewhere',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 20,
      body: () => filled('{"a":{"b":[', '1,', '1]}}', 31 * megabyte),
    },
    {
      name: 'H-3 31 MB of [',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 20,
      body: () => '['.repeat(31 * megabyte),
    },
    {
      name: 'H-3 31 MB of quotes',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 20,
      body: () => filled('{"usageEvents":[', '"\\"",', '""]}', 31 * megabyte),
    },
    {
      name: 'L-4 150,000 empty externalIds',
      path: `/api/v1/resource-claims/${of.id}/claim`,
      key: secret,
      rounds: 50,
      body: () => filled('{"resourceSlug":"s","externalIds":[', '"",', '""]}', 450_000),
    },
    {
      name: 'L-4 49,000 externalIds',
      path: `/api/v1/resource-claims/${of.id}/claim`,
      key: secret,
      rounds: 20,
      body: () =>
        `{"resourceSlug":"s","externalIds":[${Array.from({ length: 49_000 }, (_, n) => `"${n}"`).join(',')}]}`,
    },
    {
      name: 'M-5 forms of 1 MB without a key',
      path: '/graphql',
      type: 'multipart/form-data; boundary=x',
      rounds: 200,
      body: () => '--x\r\n'.repeat(200_000),
    },
    {
      name: 'overlapping fields',
      path: '/graphql',
      key: publishable,
      rounds: 200,
      body: () => query(`{${'products{totalCount} '.repeat(390)}}`),
    },
    {
      name: 'overlapping fragments',
      path: '/graphql',
      key: publishable,
      rounds: 100,
      body: () =>
        query(
          `{${Array.from({ length: 180 }, (_, n) => `...F${n} `).join('')}} ${Array.from({ length: 180 }, (_, n) => `fragment F${n} on Query{a:__typename}`).join(' ')}`,
        ),
    },
    {
      name: 'GraphQL variables of 1 MB',
      path: '/graphql',
      key: secret,
      rounds: 50,
      body: () =>
        `{"query":"mutation($e:[UsageEventInput!]!){recordUsageEvents(usageEvents:$e){duplicates}}","variables":{"e":${filled('[', '{},', '{}]', 1_000_000)}}}`,
    },
    {
      name: 'GraphQL list of 500,000 ids',
      path: '/graphql',
      key: secret,
      rounds: 50,
      body: () =>
        `{"query":"mutation($e:[ID!]){createProduct(product:{name:\\"a\\",slug:\\"a\\"},price:{type:subscription,unitPrice:1},featureIds:$e){ product {id} }}","variables":{"e":${filled('[', '1,', '1]', 1_000_000)}}}`,
    },
    {
      name: 'bulk of 10,000 events, 1 MB',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 5,
      body: (n) => events(n, 0),
    },
    {
      name: 'bulk of 10,000 events, 32 MB',
      path: '/api/v1/usage-events/bulk',
      key: secret,
      rounds: 5,
      body: (n) => events(n + 100, 3_150),
    },
  ];
}
