import pg from 'pg';
import { newId } from '#domain/kernel/ids.ts';
import { slug } from '../data/seated-subscriptions.ts';

/** The task of the baseline: pairs of a claim and a release for a time. */
export interface BareClaims {
  readonly ids: readonly string[];
  readonly workers: number;
  readonly milliseconds: number;
}

export interface Measured {
  readonly pairsPerSecond: number;
  readonly p99Milliseconds: number;
}

/**
 * The baseline, in a separate process: the least SQL that claims and releases a seat, each in a transaction with
 * prepared statements. It locks the subscription, counts capacity and claims, inserts the claim or updates the oldest
 * one, and inserts the event. It has no HTTP, key or tenant, and decides nothing.
 */
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 16 });

process.on('message', async ({ ids, workers, milliseconds }: BareClaims) => {
  const latencies: number[] = [];
  const end = performance.now() + milliseconds;
  const work = async (worker: number) => {
    const client = await pool.connect();
    const timed = async (
      step: (client: pg.PoolClient, id: string) => Promise<void>,
      id: string,
    ) => {
      const began = performance.now();
      await step(client, id);
      latencies.push(performance.now() - began);
    };
    for (let turn = worker * 61; performance.now() < end; turn++) {
      const id = ids[turn % ids.length] ?? '';
      await timed(claim, id);
      await timed(release, id);
    }
    client.release();
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  latencies.sort((a, b) => a - b);
  process.send?.({
    pairsPerSecond: latencies.length / 2 / (milliseconds / 1_000),
    p99Milliseconds: Math.round(latencies[Math.floor(latencies.length * 0.99)] ?? 0),
  } satisfies Measured);
});

async function claim(client: pg.PoolClient, id: string) {
  await client.query('begin');
  await client.query({ name: 'lock', text: lock, values: [id] });
  const { rows } = await client.query({
    name: 'count',
    text: count,
    values: [id, slug, new Date()],
  });
  if (Number(rows[0].capacity) <= Number(rows[0].claimed)) throw new Error('There is no seat left');
  const claimId = newId('res_claim');
  const values = [claimId, id, slug, new Date()];
  await client.query({ name: 'insert', text: insert, values });
  await client.query({ name: 'tell', text: tell, values: [newId('evt'), claimId, 'created'] });
  await client.query('commit');
}

async function release(client: pg.PoolClient, id: string) {
  await client.query('begin');
  await client.query({ name: 'lock', text: lock, values: [id] });
  const { rows } = await client.query({ name: 'update', text: update, values: [id, new Date()] });
  const values = [newId('evt'), rows[0].id, 'released'];
  await client.query({ name: 'tell', text: tell, values });
  await client.query('commit');
}

const lock = 'select status from subscription where id = $1 for no key update';

const count = `select
    (select sum(f.amount) from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
      where f.subscription_id = $1 and f.resource_id = r.id and (f.expired_at is null or f.expired_at > $3)
        and i.added_date <= $3 and (i.expired_at is null or i.expired_at > $3)) as capacity,
    (select count(*) from resource_claim c where c.subscription_id = $1 and c.resource_id = r.id
        and c.released_at is null and (c.expired_at is null or c.expired_at > $3)) as claimed
  from resource r where r.slug = $2`;

const insert = `insert into resource_claim (id, created_at, updated_at, version, livemode, organization_id,
    pricing_model_id, resource_id, subscription_id, claimed_at, customer_id)
  select $1, $4, $4, 1, s.livemode, s.organization_id, s.pricing_model_id, r.id, s.id, $4, s.customer_id
  from subscription s, resource r where s.id = $2 and r.slug = $3`;

const update = `update resource_claim set released_at = $2, release_reason = 'released', updated_at = $2,
    version = version + 1
  where id = (select id from resource_claim where subscription_id = $1 and released_at is null
    and external_id is null order by claimed_at, id limit 1) returning id`;

const tell = `insert into event (id, type, object_type, object_id, object_version, data, livemode,
    organization_id, pricing_model_id, customer_id, occurred_at)
  select $1, 'resource_claim.' || $3, 'ResourceClaim', id, version, to_jsonb(c), livemode, organization_id,
    pricing_model_id, customer_id, updated_at from resource_claim c where id = $2`;
