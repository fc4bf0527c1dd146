import type pg from 'pg';
import { expect } from 'vitest';
import type { Acknowledged, World } from './clients.ts';
import type { Follower } from './follower.ts';

/** Waits for a condition, also on a machine that is busy. */
const eventually = <T>(value: () => T | Promise<T>) =>
  expect.poll(value, { timeout: 90_000, interval: 250 });

/** Seats that are claimed or reserved by the clock of the database: what must never exceed the capacity. */
export async function seatsTaken(observer: pg.Client, { seatsSubscriptionId }: World) {
  const { rows } = await observer.query(
    `with instant as (select clock_timestamp() as now)
     select (select count(*)::int from resource_claim, instant where subscription_id = $1
         and released_at is null and (expired_at is null or expired_at > now)) as claimed,
       (select coalesce(sum(quantity), 0)::int from reservation, instant where subscription_id = $1
         and status = 'held' and expires_at > now) as reserved`,
    [seatsSubscriptionId],
  );
  return rows[0] as { claimed: number; reserved: number };
}

/** Every event has its place, the follower has seen each of them once, and in their order. */
export async function expectFeedToBeWhole(observer: pg.Client, follower: Follower) {
  const numbered = async () =>
    (await observer.query('select count(*)::int as n from event where sequence is null')).rows[0].n;
  await eventually(numbered).toBe(0);
  const { rows } = await observer.query<{ sequence: string }>(
    `select sequence from event where pricing_model_id = $1 order by sequence`,
    [follower.pricingModelId],
  );
  const sequences = rows.map(({ sequence }) => Number(sequence));
  expect(new Set(sequences).size).toBe(sequences.length);
  await eventually(() => follower.sequences.at(-1)).toBe(sequences.at(-1));
  expect(follower.sequences).toEqual(sequences);
}

/** No change of an object has an earlier instant than the change before it, whatever clocks have shown. */
export async function expectInstantsToGoOn(observer: pg.Client) {
  const { rows } = await observer.query(
    `select object_id, type, sequence, before, occurred_at from (
       select *, lag(occurred_at) over (partition by object_id order by sequence) as before from event) own
     where before > occurred_at`,
  );
  expect(rows).toEqual([]);
}

/** Every delivery ends as delivered, and each object's events arrive in their order. */
export async function expectDeliveries(observer: pg.Client, received: () => readonly Delivered[]) {
  // A killed process leaves its deliveries claimed for 30 s, and a failed attempt waits for the next one.
  await eventually(async () => {
    await observer.query(
      `update webhook_delivery set claimed_until = now() - interval '1 s' where claimed_until is not null
         and claimed_until < now() + interval '20 s'`,
    );
    await observer.query(
      `update webhook_delivery set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
    );
    const { rows } = await observer.query(
      `select status, count(*)::int as n from webhook_delivery where status <> 'delivered' group by 1`,
    );
    return rows;
  }).toEqual([]);
  // Jobs continue, so further events may come while this looks.
  const { rows } = await observer.query<{ id: string; objectId: string }>(
    `select event_id as id, object_id as "objectId" from webhook_delivery
     where status = 'delivered' order by sequence`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const arrived = received().filter(({ id }) => known.has(id));
  const first = arrived.filter(
    ({ id }, place) => arrived.findIndex((one) => one.id === id) === place,
  );
  expect(idsByObject(first)).toEqual(idsByObject(rows));
}

const idsByObject = (deliveries: readonly Delivered[]) =>
  Object.fromEntries(
    [...Map.groupBy(deliveries, ({ objectId }) => objectId)].map(([objectId, of]) => [
      objectId,
      of.map(({ id }) => id),
    ]),
  );

/** One webhook as its endpoint has got it. */
export interface Delivered {
  readonly id: string;
  readonly objectId: string;
}

/** Each acknowledged usage event is stored once with its amount, and the balance is their sum. */
export async function expectUsage(observer: pg.Client, world: World, { usage }: Acknowledged) {
  const { rows } = await observer.query<{ transaction_id: string; amount: string }>(
    'select transaction_id, amount from usage_event where subscription_id = $1',
    [world.meteredSubscriptionId],
  );
  expect(rows.length).toBe(new Set(rows.map((row) => row.transaction_id)).size);
  const stored = new Map(rows.map((row) => [row.transaction_id, Number(row.amount)]));
  for (const [id, amount] of usage) expect([id, stored.get(id)]).toEqual([id, amount]);
  const { rows: balances } = await observer.query(
    'select usage::float as usage from usage_meter_balance where subscription_id = $1',
    [world.meteredSubscriptionId],
  );
  const sum = [...stored.values()].reduce((sum, amount) => sum + amount, 0);
  expect(balances).toEqual(sum === 0 ? balances : [{ usage: sum }]);
}

/** Each acknowledged purchase was paid for exactly as often as it takes, and each customer exists once. */
export async function expectPurchases(observer: pg.Client, { purchases }: Acknowledged) {
  const { rows } = await observer.query<{ customer_id: string; paid: number; current: number }>(
    `select c.id as customer_id,
       (select count(*)::int from payment p where p.customer_id = c.id and p.status = 'succeeded') as paid,
       (select count(*)::int from subscription s where s.customer_id = c.id and s.status = 'active') as current
     from customer c where c.id = any ($1)`,
    [[...purchases.keys()]],
  );
  expect(rows.length).toBe(purchases.size);
  for (const { customer_id, paid, current } of rows) {
    expect({ customer_id, paid, current }).toEqual({
      customer_id,
      paid: purchases.get(customer_id),
      current: 1,
    });
  }
  const { rows: doubled } = await observer.query(
    'select external_id from customer group by pricing_model_id, external_id having count(*) > 1',
  );
  expect(doubled).toEqual([]);
}

/** Each customer of a clock has paid once for each month that the clock has reached, and for the first one. */
export async function expectMonths(observer: pg.Client, { months }: Acknowledged) {
  const paid = async () =>
    (
      await observer.query(
        `select c.id, count(*)::int - 1 as months from customer c
           join test_clock t on t.id = c.test_clock_id and t.advancing_to is null
           join payment p on p.customer_id = c.id and p.status = 'succeeded'
         where c.id = any ($1) group by 1`,
        [[...months.keys()]],
      )
    ).rows.map(({ id, months }): [string, number] => [id, months]);
  await eventually(async () => new Map(await paid())).toEqual(months);
}

/** All that is open has a time at which it is looked at next. */
export async function expectOpenStatesToBeDue(observer: pg.Client) {
  const { rows } = await observer.query(
    `select 'run' as what, r.id from billing_run r
     where r.status in ('scheduled', 'started', 'awaiting_payment_confirmation') and r.due_at is null
       and not exists (select from payment p where p.billing_run_id = r.id and p.check_due_at is not null)
     union all select 'payment', id from payment
     where status in ('processing', 'requires_confirmation', 'requires_action') and check_due_at is null
     union all select 'delivery', id from webhook_delivery
     where status = 'pending' and next_attempt_at is null and claimed_until is null
       and not exists (select from webhook_delivery before where before.webhook_id = webhook_delivery.webhook_id
         and before.object_id = webhook_delivery.object_id and before.status = 'pending'
         and before.sequence < webhook_delivery.sequence)`,
  );
  expect(rows).toEqual([]);
}
