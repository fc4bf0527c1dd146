import type { MikroORM } from '@mikro-orm/postgresql';
import { claimDeliveries } from '#domain/platform/commands/webhook-deliveries/claim-deliveries.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { startMeasuredDatabase } from '../running/database.ts';

const backlogs = [100_000, 200_000, 400_000] as const;
const endpoints = [100, 1_000, 10_000, 50_000] as const;
const looks = 41;
const model = '(select * from pricing_model where not livemode limit 1) as model';

/** How the feed grows: backlogs of events without a number, and looks for due deliveries when nothing is due. */
export async function feed() {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  await prepareDatabase(databaseUrl, { now: new Date() });
  const orm = await connect({ databaseUrl, poolSize: 4 });
  opened.defer(() => orm.close());
  await sequenceEvents(orm.em.fork());
  for (const count of backlogs) {
    const seconds = await backlog(orm, count);
    const each = ((seconds * 1_000_000) / count).toFixed(1);
    process.stdout.write(`backlog of ${count}: ${seconds.toFixed(1)} s, ${each} µs an event\n`);
  }
  let before = 0;
  for (const count of endpoints) {
    await addEndpoints(orm, before + 1, count);
    before = count;
    const [low, middle, high] = await lookTimes(orm);
    process.stdout.write(`${count} endpoints: a look takes ${middle} ms (${low}–${high})\n`);
  }
}

async function backlog(orm: MikroORM, count: number) {
  await orm.em.fork().execute(
    `insert into event (id, type, object_type, object_id, object_version, data, livemode, organization_id,
       pricing_model_id, occurred_at)
     select 'evt_${count}_' || n, 'customer.updated', 'Customer', 'cus_' || n, 1, '{"name":"Bench"}', livemode,
       organization_id, id, now() from ${model}, generate_series(1, ${count}) as n`,
  );
  const began = performance.now();
  await sequenceEvents(orm.em.fork());
  return (performance.now() - began) / 1_000;
}

async function addEndpoints(orm: MikroORM, from: number, to: number) {
  const em = orm.em.fork();
  await em.execute(
    `insert into webhook (id, created_at, updated_at, livemode, organization_id, pricing_model_id, name, url,
       filter_types, secret)
     select 'webhook_' || n, now(), now(), livemode, organization_id, id, 'Bench', 'https://example.com',
       '{customer.created}', 'fake' from ${model}, generate_series(${from}, ${to}) as n`,
  );
  await em.execute('analyze webhook');
}

/** The tenth, the median and the ninetieth percentile, in milliseconds. */
async function lookTimes(orm: MikroORM) {
  const times: number[] = [];
  for (let n = 0; n < looks; n++) {
    const began = performance.now();
    await claimDeliveries(orm.em.fork(), new Date());
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return [0.1, 0.5, 0.9].map((part) => sorted[Math.floor(looks * part)]?.toFixed(2));
}
