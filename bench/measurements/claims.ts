import type { MikroORM } from '@mikro-orm/postgresql';
import autocannon from 'autocannon';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { openSession, type Scope } from '#domain/kernel/session.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import type { BareClaims, Measured } from '../baselines/bare-claims.ts';
import { addSeatedSubscriptions, slug } from '../data/seated-subscriptions.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { startWorker } from '../running/processes.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const connections = 16;
const secondsEach = 4;
const rounds = 3;
const subscriptions = 1_000;

/**
 * Pairs of «claim one, release one» over REST at 16 connections, all on one subscription and spread over 1,000. The
 * baseline is a bare `pg` program with the same lock, count, insert and update. The two take turns, each on a
 * separate database in one cluster. Then measures reading usage with 10 claims and with 100,000.
 */
export async function claims() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const service = opened.use(await startMeasuredService());
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 2 });
  opened.defer(() => orm.close());
  const ids = await addSeatedSubscriptions(orm, subscriptions);
  const bareOrm = opened.use(await bareDatabase(service.databaseUrl, orm));
  const bare = opened.use(startWorker('bench/baselines/bare-claims.ts', [bareOrm.databaseUrl]));

  for (const [name, among] of [
    ['spread over 1,000 subscriptions', ids],
    ['all on one subscription', ids.slice(0, 1)],
  ] as const) {
    const driver = (seconds: number) =>
      bare.ask<Measured>({
        ids: among,
        workers: connections,
        milliseconds: seconds * 1_000,
      } satisfies BareClaims);
    await pairs(service, among, 2);
    await driver(2);
    // Autovacuum would do the same within a minute.
    for (const one of [orm, bareOrm.orm]) await one.em.execute('analyze');
    const results = { service: [] as Measured[], bare: [] as Measured[] };
    for (let round = 0; round < rounds; round++) {
      results.service.push(await pairs(service, among, secondsEach));
      results.bare.push(await driver(secondsEach));
    }
    report(name, results);
  }
  await usage(service, orm, ids);
}

/** The same subscriptions in another database, whose events have no follower. */
async function bareDatabase(url: string, admin: MikroORM) {
  await admin.em.execute('create database bare');
  const databaseUrl = url.replace(/\/[^/]*$/, '/bare');
  await prepareDatabase(databaseUrl, { now: new Date() });
  const orm = await connect({ databaseUrl, poolSize: 2 });
  await addSeatedSubscriptions(orm, subscriptions);
  return { databaseUrl, orm, [Symbol.asyncDispose]: () => orm.close() };
}

async function pairs(
  { url, key }: MeasuredService,
  ids: readonly string[],
  seconds: number,
): Promise<Measured> {
  const body = JSON.stringify({ resourceSlug: slug, quantity: 1 });
  const of = (id: string) =>
    ['claim', 'release'].map((verb) => ({
      method: 'POST' as const,
      path: `/api/v1/resource-claims/${id}/${verb}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    }));
  let worker = 0;
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    // Each connection begins at another place of the list.
    setupClient: (client) => {
      const from = (worker++ * 61) % ids.length;
      client.setRequests([...ids.slice(from), ...ids.slice(0, from)].flatMap(of));
    },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors`);
  return { pairsPerSecond: requests.average / 2, p99Milliseconds: latency.p99 };
}

async function usage(
  { url, key }: MeasuredService,
  orm: MikroORM,
  [few = '', many = '']: string[],
) {
  await fill(orm, few, 10);
  await fill(orm, many, 100_000);
  const read = async (id: string) => {
    const query = `{ subscription(id: "${id}") { resourceUsages { capacity claimed available } } }`;
    const { requests, latency, non2xx, errors } = await autocannon({
      url: `${url}/graphql`,
      method: 'POST',
      connections,
      duration: secondsEach,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors`);
    return `${requests.average.toFixed(0).padStart(7)} reads/s   p50 ${latency.p50} ms, p99 ${latency.p99} ms\n`;
  };
  await read(few);
  process.stdout.write(
    `Usage of a subscription\n${'with 10 claims'.padEnd(24)} ${await read(few)}` +
      `${'with 100,000 claims'.padEnd(24)} ${await read(many)}`,
  );
}

type Tenant = Pick<Scope, 'organizationId' | 'pricingModelId' | 'livemode'>;

/** Claims in calls of 10,000. */
async function fill(orm: MikroORM, subscriptionId: string, count: number) {
  const [tenant] = await orm.em.execute<[Tenant]>(
    `select organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode
     from subscription where id = ?`,
    [subscriptionId],
  );
  const began = performance.now();
  for (let left = count; left > 0; left -= 10_000) {
    const scope = { ...tenant, keyType: 'secret', now: new Date() } as const;
    const quantity = Math.min(left, 10_000);
    const input = { subscriptionId, resourceSlug: slug, quantity };
    await claimResource(openSession(orm.em, scope), input);
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${count} claims made in ${seconds} s\n`);
}

function report(name: string, { service, bare }: Record<'service' | 'bare', Measured[]>) {
  const [ours, theirs] = [median(service), median(bare)];
  const line = (side: string, { pairsPerSecond, p99Milliseconds }: Measured) =>
    `${side.padEnd(24)} ${pairsPerSecond.toFixed(0).padStart(7)} pairs/s   p99 ${p99Milliseconds} ms\n`;
  process.stdout.write(
    `Claim 1 and release 1, ${name}, ${connections} connections, median of ${rounds} × ${secondsEach} s\n` +
      line('service', ours) +
      line('bare pg', theirs) +
      `ratio ${(ours.pairsPerSecond / theirs.pairsPerSecond).toFixed(2)}\n`,
  );
}

const median = (results: Measured[]) =>
  results.toSorted((a, b) => a.pairsPerSecond - b.pairsPerSecond)[
    Math.floor(results.length / 2)
  ] as Measured;
