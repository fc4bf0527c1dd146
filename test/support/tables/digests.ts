import { hash } from 'node:crypto';
import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { StoredDigest } from '#domain/model/metering/usage-total.ts';

interface Total {
  readonly key: string;
  readonly digest: StoredDigest | null;
}

interface Event {
  readonly key: string;
  readonly id: string;
  readonly amount: string;
  readonly createdAt: number;
  readonly recordedAt: number;
}

/** Expects that the digest of each total of a tenant is that of its events. Returns how many totals have none. */
export async function digestsThatAgree({ em, pricingModelId }: Session) {
  const [[totals], [events]] = await em.fork().transactional(
    (em) =>
      Promise.all([
        em.execute<[{ all: Total[] }]>(
          `select coalesce(json_agg(json_build_object('key', concat_ws(' ', t.balance_id, t.billing_period_id, t.price_id),
             'digest', t.digest)), '[]') as all
           from usage_total t join usage_meter_balance b on b.id = t.balance_id where b.pricing_model_id = ?`,
          [pricingModelId],
        ),
        em.execute<[{ all: Event[] }]>(
          `select coalesce(json_agg(json_build_object('key', concat_ws(' ', b.id,
               case when e.after_end then 'ended' else coalesce(e.billing_period_id, '') end, e.price_id),
             'id', e.id, 'amount', trim_scale(e.amount)::text,
             'createdAt', (extract(epoch from e.created_at) * 1000)::bigint,
             'recordedAt', (extract(epoch from e.recorded_at) * 1000)::bigint)
             order by e.created_at, e.id collate "C"), '[]') as all
           from usage_event e join usage_meter_balance b
             on b.subscription_id = e.subscription_id and b.usage_meter_id = e.usage_meter_id
           where e.pricing_model_id = ? and e.voided_at is null`,
          [pricingModelId],
        ),
      ]),
    { isolationLevel: 'repeatable read' as never },
  );
  const counting = Map.groupBy(events.all, ({ key }) => key);
  const outside: string[] = [];
  let withoutDigest = 0;
  for (const { key, digest } of totals.all) {
    if (!digest) {
      withoutDigest += 1;
      continue;
    }
    const own = counting.get(key) ?? [];
    const { version: _, recordedFrom, recordedUntil, ...stored } = digest;
    expect({ key, ...stored }).toEqual({ key, ...digestOf(own) });
    for (const { id, recordedAt } of own) {
      if (recordedAt < (recordedFrom ?? Infinity) || recordedAt > (recordedUntil ?? 0)) {
        outside.push(`${id} was recorded at ${recordedAt}`);
      }
    }
  }
  expect(outside).toEqual([]);
  return { withoutDigest };
}

/** The digest of events in their order, computed in the plainest way. */
function digestOf(events: readonly Event[]) {
  const sum = events.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
  const digests = events.map(({ id, amount }) =>
    BigInt(`0x${hash('sha256', `${id} ${amount}`, 'hex')}`),
  );
  const all = digests.reduce((sum, digest) => (sum + digest) % 2n ** 256n, 0n);
  const places = events.map(({ id, createdAt }) => ({ id, createdAt }));
  return {
    count: events.length,
    sum: decimalText(sum),
    sumOfSha256: all.toString(16).padStart(64, '0'),
    first: places[0] ?? null,
    last: places.at(-1) ?? null,
  };
}
