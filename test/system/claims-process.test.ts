import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { seed } from '../support/effort.ts';
import { type Running, startService } from '../support/process.ts';
import { aBusySubscription } from '../support/seats.ts';
import { systemTest as test } from '../support/test.ts';

const clients = 64;
const seats = 50;
const turns = 12;

/** Numbers in [0, 1) that are the same for the same seed. */
function random(from: number) {
  let state = from;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test(`64 clients fight for 50 seats through two processes: never are more taken, and the feed agrees (seed ${seed})`, async ({
  database,
  tenant,
  session,
}) => {
  const { databaseUrl: DATABASE_URL } = database;
  const { subscriptionId, resourceSlug } = await aBusySubscription(session, seats);
  const services = await Promise.all([1, 2].map(() => startService({ DATABASE_URL, CRON: 'off' })));
  const observer = new pg.Client({ connectionString: DATABASE_URL });
  await observer.connect();
  onTestFinished(() => observer.end());
  const active = async () => {
    const { rows } = await observer.query(
      `select count(*)::int as n, count(distinct external_id)::int + count(*) filter (where external_id is null)::int as different
       from resource_claim where subscription_id = $1 and released_at is null`,
      [subscriptionId],
    );
    expect(rows[0].different).toBe(rows[0].n);
    return rows[0].n as number;
  };

  const move = async (service: Running | undefined, verb: string, body: object) => {
    const path = `/api/v1/resource-claims/${subscriptionId}/${verb}`;
    const answer = await fetch(service?.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSlug, ...body }),
    });
    // A client that is refused gets the reason; no client is asked to try again.
    expect([200, 400], await answer.clone().text()).toContain(answer.status);
    return answer.status === 200 ? 1 : 0;
  };
  const fight = async (place: number) => {
    const next = random(seed + place);
    const name = () => `user-${Math.floor(next() * 30)}`;
    let done = 0;
    for (let turn = 0; turn < turns; turn++) {
      const verb = next() < 0.6 ? 'claim' : 'release';
      const kind = next();
      const body =
        kind < 0.5
          ? { quantity: 1 + Math.floor(next() * 3) }
          : kind < 0.75
            ? { externalId: name() }
            : { externalIds: [name(), name(), name()] };
      done += await move(services[(place + turn) % 2], verb, body);
    }
    return done;
  };

  let most = 0;
  let looks = 0;
  let fighting = true;
  const watch = (async () => {
    for (; fighting; looks++) most = Math.max(most, await active());
  })();
  const done = await Promise.all(Array.from({ length: clients }, (_, place) => fight(place)));
  fighting = false;
  await watch;

  expect(done.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(clients);
  expect(looks).toBeGreaterThan(20);
  expect(most).toBeGreaterThan(seats / 2);
  expect(most).toBeLessThanOrEqual(seats);
  const left = await active();
  const { rows } = await observer.query(
    `select (select claimed::int from resource_claim_count where subscription_id = $1) as counted,
       (select count(*)::int from resource_claim where subscription_id = $1) as made,
       (select count(*)::int from event where type = 'resource_claim.created') as told,
       (select count(*)::int from event where type = 'resource_claim.released') as told_released,
       (select count(distinct object_id)::int from event where type = 'resource_claim.created') as each`,
    [subscriptionId],
  );
  const { made } = rows[0];
  expect(rows[0]).toEqual({
    counted: left,
    made,
    told: made,
    told_released: made - left,
    each: made,
  });
});
