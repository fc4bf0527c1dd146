import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foundOrganization } from '#domain/platform/commands/organizations/found-organization.ts';
import { connect } from '#server/database/database.ts';
import { runImport } from '../../src/tools/import/run-import.ts';
import { clientOf, openShop, type Shop } from '../costs/shop.ts';
import { writeExport } from '../data/export-files.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { startWorker, type Worker } from '../running/processes.ts';
import { startMeasuredService } from '../running/service.ts';

const secondsEach = 8;
const customersOfAnImport = 400;
const customersOfAClock = 30;

/** What one organization does all the time. `act` is called by so many callers at once, each after its last answer. */
interface Mix {
  readonly name: string;
  readonly callers: number;
  prepare(shop: Shop): Promise<() => Promise<unknown>>;
}

const usage = (subscriptionId: string) => ({
  subscriptionId,
  usageMeterSlug: 'calls',
  amount: 1,
  transactionId: randomUUID(),
});

const reading = (name: string, path: (customer: string) => string): Mix => ({
  name,
  callers: 16,
  async prepare(shop) {
    const { externalId } = await shop.subscription();
    return () => shop.call('GET', path(externalId));
  },
});

const mixes: readonly Mix[] = [
  { name: 'customers', callers: 8, prepare: async (shop) => () => shop.customer() },
  { name: 'charged subscriptions', callers: 8, prepare: async (shop) => () => shop.subscription() },
  {
    name: 'adjustments',
    callers: 8,
    prepare: async (shop) => async () => {
      const { id } = await shop.subscription();
      const newSubscriptionItems = [{ priceSlug: 'company', quantity: 1 }];
      const adjustment = { timing: 'immediately', newSubscriptionItems };
      return shop.call('POST', `/subscriptions/${id}/adjust`, { adjustment });
    },
  },
  {
    name: 'single usage events',
    callers: 32,
    async prepare(shop) {
      const { id } = await shop.subscription();
      return () => shop.call('POST', '/usage-events', { usageEvent: usage(id) });
    },
  },
  {
    name: 'usage by 1,000',
    callers: 4,
    async prepare(shop) {
      const { id } = await shop.subscription();
      return () => {
        const usageEvents = Array.from({ length: 1_000 }, () => usage(id));
        return shop.call('POST', '/usage-events/bulk', { usageEvents });
      };
    },
  },
  {
    name: 'claims of 5 seats',
    callers: 4,
    async prepare(shop) {
      const { id } = await shop.subscription();
      return async () => {
        const claim = { resourceSlug: 'seats', quantity: 5 };
        await shop.call('POST', `/resource-claims/${id}/claim`, claim).catch(() => {});
        await shop.call('POST', `/resource-claims/${id}/release`, claim).catch(() => {});
      };
    },
  },
  reading('lists of 100', () => '/invoices?limit=100'),
  reading('billing reads', (customer) => `/customers/${customer}/billing`),
  {
    name: 'a clock by a year',
    callers: 1,
    async prepare(shop) {
      return async () => {
        const frozenTime = Date.UTC(2027, 0, 1);
        const { testClock } = await shop.call('POST', '/test-clocks', {
          testClock: { name: 'A year', frozenTime },
        });
        for (let n = 0; n < customersOfAClock; n++) await clockCustomer(shop, testClock.id);
        await shop.call('POST', `/test-clocks/${testClock.id}/advance`, {
          frozenTime: Date.UTC(2028, 0, 1),
        });
      };
    },
  },
];

async function clockCustomer({ call }: Shop, testClockId: string) {
  const { data } = await call('POST', '/customers', {
    customer: { name: 'Ada', email: 'ada@example.com', externalId: randomUUID(), testClockId },
  });
  await call('POST', '/subscriptions', {
    customerId: data.customer.id,
    priceSlug: 'team',
    doNotCharge: true,
  });
}

/**
 * The requests of an organization while another one keeps the service busy: the 99th percentile of each mix, beside that
 * of an idle service just before. The baseline is the idle service.
 */
export async function fairness() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const service = opened.use(await startMeasuredService());
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 4 });
  opened.defer(() => orm.close(true));
  const founding = { name: 'Busy', now: new Date(), currency: 'USD' };
  const { token, apiKey } = await foundOrganization(orm.em.fork(), founding);
  const own = await openShop(clientOf(fetch, service.url, service.key));
  for (let n = 0; n < 20; n++) await own.subscription();
  const shop = await openShop(clientOf(fetch, service.url, token));
  const requests = opened.use(
    startWorker('bench/load/ordinary-requests.ts', [service.url, service.key]),
  );
  for (const mix of mixes) {
    const act = await mix.prepare(shop);
    await report(requests, mix.name, () => keepBusy(mix.callers, act));
  }
  for (const slug of ['base', 'seat'])
    await shop.call('POST', '/products', {
      product: { name: slug, slug },
      price: { type: 'subscription', slug, unitPrice: 300, intervalUnit: 'month' },
    });
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-fairness-'));
  opened.defer(() => rm(folder, { recursive: true }));
  await writeExport(folder, 'own', customersOfAnImport);
  const { organizationId, pricingModelId, livemode } = apiKey;
  const tenant = { organizationId, pricingModelId, livemode, keyType: 'secret' } as const;
  await report(requests, 'an import', async () => {
    const actor = { type: 'system', id: 'import' } as const;
    const plan = { folder, from: 'csv', applies: true, testClockId: undefined } as const;
    const { isComplete } = await runImport(orm.em.fork(), { ...tenant, actor }, plan);
    if (!isComplete) throw new Error('The import has left something out');
    return customersOfAnImport;
  });
}

/** Calls until some seconds have passed; returns how many calls have ended. */
async function keepBusy(callers: number, act: () => Promise<unknown>) {
  const end = performance.now() + secondsEach * 1_000;
  let calls = 0;
  const call = async () => {
    while (performance.now() < end) {
      await act();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return calls;
}

async function report(requests: Worker, name: string, work: () => Promise<number>) {
  const took = () => requests.ask<{ p99: number; count: number }>('');
  await took();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const idle = await took();
  const calls = await work();
  const busy = await took();
  process.stdout.write(
    `${name.padEnd(24)} ${String(calls).padStart(6)} calls   p99 ${busy.p99.toFixed(0)} ms of ${busy.count}, idle ${idle.p99.toFixed(0)} ms, ratio ${(busy.p99 / idle.p99).toFixed(1)}\n`,
  );
}
