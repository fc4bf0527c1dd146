import pg from 'pg';
import { newId } from '#domain/kernel/ids.ts';
import { boundary } from '../data/due-subscriptions.ts';

const nextBoundary = new Date('2026-03-31T10:00:00Z');
const workers = 4;

/**
 * The baseline: the least SQL that takes a subscription over its boundary, in one transaction with prepared
 * statements. It closes the period, inserts the next one with its item, updates the subscription and inserts the
 * three events. It locks nothing, looks nothing up and decides nothing.
 */
export async function bareTransitions(databaseUrl: string, batch: string, count: number) {
  const ids = Array.from({ length: count }, (_, n) => `${batch}_${n + 1}`).values();
  const work = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    for (const id of ids) await transition(client, id);
    await client.end();
  };
  await Promise.all(Array.from({ length: workers }, work));
}

async function transition(client: pg.Client, id: string) {
  const period = newId('billing_period');
  await client.query('begin');
  await client.query({ name: 'close', text: close, values: [`billing_period_${id}`, boundary] });
  await client.query({
    name: 'open',
    text: open,
    values: [period, `sub_${id}`, boundary, nextBoundary],
  });
  await client.query({
    name: 'item',
    text: item,
    values: [newId('billing_period_item'), period, `sub_${id}`],
  });
  await client.query({
    name: 'enter',
    text: enter,
    values: [`sub_${id}`, boundary, nextBoundary],
  });
  await client.query({
    name: 'tell',
    text: tell,
    values: [
      [newId('evt'), newId('evt'), newId('evt')],
      [`billing_period_${id}`, period],
      `sub_${id}`,
    ],
  });
  await client.query('commit');
}

const close = `update billing_period set status = 'past_due', version = version + 1, updated_at = $2 where id = $1`;

const open = `insert into billing_period (id, created_at, updated_at, version, livemode, organization_id,
    pricing_model_id, subscription_id, start_date, end_date, status, trial_period, customer_id)
  select $1, $3, $3, 1, livemode, organization_id, pricing_model_id, id, $3, $4, 'active', false, customer_id
  from subscription where id = $2`;

const item = `insert into billing_period_item (id, billing_period_id, organization_id, position, name, description, unit_price,
    quantity, price_id, subscription_item_id)
  select $1, $2, organization_id, 0, name, '', unit_price, quantity, price_id, id from subscription_item where subscription_id = $3`;

const enter = `update subscription set current_billing_period_start = $2, current_billing_period_end = $3,
    transition_due_at = $3, version = version + 1, updated_at = $2 where id = $1`;

const tell = `insert into event (id, type, object_type, object_id, object_version, data, livemode,
    organization_id, pricing_model_id, occurred_at)
  select ($1::text[])[row_number() over ()], type, object, id, version, data, livemode, organization_id, pricing_model_id, updated_at
  from (
    select 'billing_period.updated' as type, 'BillingPeriod' as object, id, version, to_jsonb(p) as data,
      livemode, organization_id, pricing_model_id, updated_at from billing_period p where id = any($2)
    union all
    select 'subscription.updated', 'Subscription', id, version, to_jsonb(s), livemode, organization_id,
      pricing_model_id, updated_at from subscription s where id = $3) change`;
