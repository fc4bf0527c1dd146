import { type Units, unitsOf } from '#domain/kernel/decimal.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { type Account, accounts } from '#domain/usage-balances/accounts.ts';
import type { StoredDigest } from '#domain/usage-balances/usage-total.ts';
import { type Credit, keyOf, type Ledger, type Total } from './ledger.ts';
import { runningDigest } from './running-digest.ts';

/** A ledger to be locked, with the periods whose totals are needed. */
export interface Wanted {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly customerId: string;
  readonly periodIds: ReadonlySet<string>;
  /** The present time of the customer. */
  readonly now: Date;
  /** Credits that were usable since this instant are needed, even if they have run out and cover nothing. */
  readonly since?: Date | null;
  /** Whether the subscription has alerts. */
  readonly watched: boolean;
}

export const ledgerKeyOf = (subscriptionId: string, usageMeterId: string) =>
  `${subscriptionId} ${usageMeterId}`;

type Balance = { id: string; subscriptionId: string; usageMeterId: string } & Record<
  Account,
  string
>;

/**
 * Locks ledgers until the transaction ends, in one order for every process, and reads their contents. It uses 3
 * statements, however many ledgers there are, and creates missing ledgers. Lock the subscriptions first, so that
 * their periods do not change.
 */
export async function lockLedgers(
  session: Session,
  wanted: readonly Wanted[],
): Promise<Map<string, Ledger>> {
  const balances = await lock(session, wanted);
  const missing = wanted.filter(
    ({ subscriptionId, usageMeterId }) => !balances.has(ledgerKeyOf(subscriptionId, usageMeterId)),
  );
  if (missing.length > 0) {
    await begin(session, missing);
    for (const [key, balance] of await lock(session, missing)) balances.set(key, balance);
  }
  const ledgers = new Map<string, Ledger>();
  const periods = wanted.flatMap((one) => {
    const { subscriptionId, usageMeterId, periodIds, since } = one;
    const key = ledgerKeyOf(subscriptionId, usageMeterId);
    const ledger = ledgerOf(balances.get(key) as Balance, one);
    ledgers.set(key, ledger);
    return [...periodIds].map((periodId) => [ledger.balanceId, periodId, since ?? null] as const);
  });
  await read(session, ledgers, periods);
  return ledgers;
}

const columns = accounts.map((account) => `b.${account}::text`).join(', ');

async function lock({ em, pricingModelId }: Session, wanted: readonly Wanted[]) {
  const rows = await statement<Balance>(
    em,
    'lock balances',
    `select b.id, b.subscription_id as "subscriptionId", b.usage_meter_id as "usageMeterId", ${columns}
     from usage_meter_balance b
     join unnest($1::text[], $2::text[]) as wanted (subscription_id, usage_meter_id)
       on b.subscription_id = wanted.subscription_id and b.usage_meter_id = wanted.usage_meter_id
     where b.pricing_model_id = $3
     order by b.subscription_id, b.usage_meter_id for update of b`,
    [
      wanted.map(({ subscriptionId }) => subscriptionId),
      wanted.map(({ usageMeterId }) => usageMeterId),
      pricingModelId,
    ],
  );
  return new Map(rows.map((row) => [ledgerKeyOf(row.subscriptionId, row.usageMeterId), row]));
}

function begin(session: Session, missing: readonly Wanted[]) {
  const { em, livemode, organizationId, pricingModelId } = session;
  return statement(
    em,
    'begin balances',
    `insert into usage_meter_balance (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
       subscription_id, usage_meter_id, customer_id)
     select id, created_at, created_at, $6, $7, $8, subscription_id, usage_meter_id, customer_id
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
       as missing (id, subscription_id, usage_meter_id, customer_id, created_at)
     order by subscription_id, usage_meter_id
     on conflict (subscription_id, usage_meter_id) do nothing`,
    [
      missing.map(() => newId('la')),
      missing.map(({ subscriptionId }) => subscriptionId),
      missing.map(({ usageMeterId }) => usageMeterId),
      missing.map(({ customerId }) => customerId),
      missing.map(({ now }) => now),
      livemode,
      organizationId,
      pricingModelId,
    ],
    { joins: true },
  );
}

const ledgerOf = (balance: Balance, { now, customerId, watched }: Wanted): Ledger => ({
  balanceId: balance.id,
  subscriptionId: balance.subscriptionId,
  usageMeterId: balance.usageMeterId,
  customerId,
  watched,
  now: now.getTime(),
  recordedAt: now.getTime(),
  balances: Object.fromEntries(
    accounts.map((account) => [account, unitsOf(balance[account])]),
  ) as Record<Account, bigint>,
  totals: new Map(),
  credits: [],
  reserved: 0n,
  owed: new Map(),
  postings: [],
  owing: [],
  changedTotals: new Set(),
  changedCredits: new Set(),
  newCredits: new Set(),
});

/** The rollover of a credit in the answer of the statement. */
interface StoredRollover {
  periodId: string;
  limit: string | null;
  periods: number;
  into: string | null;
  kept: string;
  cut: string;
}

interface Contents {
  recordedAt: number;
  totals: (Omit<Total, 'usage' | 'digest' | 'cells'> & {
    balanceId: string;
    usage: string;
    digest: StoredDigest | null;
    cells: Record<string, string> | null;
  })[];
  credits: (Record<'amount' | 'remaining' | 'expired', string> & {
    balanceId: string;
    id: string;
    position: number;
    createdAt: number;
    expiresAt: number | null;
    priority: number;
    applied: Record<string, string> | null;
    rollover: StoredRollover | null;
  })[];
  reserved: { balanceId: string; amount: string }[];
  owed: { balanceId: string; periodId: string; priceId: string; quantity: string }[];
}

/** Reads the credits that have units left, that cover one of the periods, or that could have covered it. */
async function read(
  { em }: Session,
  ledgers: ReadonlyMap<string, Ledger>,
  periods: readonly (readonly [balanceId: string, periodId: string, since: Date | null])[],
) {
  const [contents] = await statement<Contents>(
    em,
    'read ledgers',
    `with wanted as (select * from unnest($1::text[], $2::text[]) as wanted (balance_id, period_id)),
     started as (select balance_id, least(min(start_date), min(since)) as at
       from unnest($1::text[], $2::text[], $5::timestamptz[]) as wanted (balance_id, period_id, since)
       left join billing_period on billing_period.id = period_id group by 1)
     select (extract(epoch from now()::timestamptz(3)) * 1000)::float8 as "recordedAt",
       (select coalesce(json_agg(t), '[]') from (
         select balance_id as "balanceId", billing_period_id as "periodId", price_id as "priceId",
           usage::text, events, (extract(epoch from last_usage_date) * 1000)::bigint as "lastUsageDate",
           last_event_id as "lastEventId", digest, cells
         from usage_total where (balance_id, billing_period_id) in (select * from wanted)) t) as totals,
       (select coalesce(json_agg(c), '[]') from (
         select c.balance_id as "balanceId", c.id, c.position, (extract(epoch from c.created_at) * 1000)::bigint as "createdAt",
           (extract(epoch from c.expires_at) * 1000)::bigint as "expiresAt", c.priority,
           c.amount::text, c.remaining::text, c.expired::text, a.applied,
           case when c.rollover_periods is not null then json_build_object('periodId', c.billing_period_id,
             'limit', c.rollover_limit::text, 'periods', c.rollover_periods, 'into', c.rolled_into,
             'kept', c.rolled_over::text, 'cut', c.not_rolled_over::text) end as rollover
         from usage_credit c
         left join lateral (
           select json_object_agg(a.billing_period_id, a.amount::text) as applied
           from usage_credit_application a
           join wanted on wanted.balance_id = c.balance_id and wanted.period_id = a.billing_period_id
           where a.credit_id = c.id) a on true
         left join started on started.balance_id = c.balance_id
         where c.balance_id = any($3::text[])
           and (c.remaining > 0 or a.applied is not null or (c.expired > 0 and c.expires_at > started.at)
             or (c.rollover_periods > 0 and exists (select from wanted
               where wanted.balance_id = c.balance_id and wanted.period_id = c.rolled_into)))) c) as credits,
       (select coalesce(json_agg(h), '[]') from (
         select r.balance_id as "balanceId", sum(r.usage_amount)::text as amount
         from reservation r join unnest($3::text[], $4::timestamptz[]) as at (balance_id, present) using (balance_id)
         where r.status = 'held' and r.expires_at > at.present group by 1) h) as reserved,
       (select coalesce(json_agg(o), '[]') from (
         select balance_id as "balanceId", billing_period_id as "periodId", price_id as "priceId",
           sum(quantity)::text as quantity
         from owed_usage where (balance_id, billing_period_id) in (select * from wanted)
         group by 1, 2, 3) o) as owed`,
    [
      periods.map(([balanceId]) => balanceId),
      periods.map(([, periodId]) => periodId),
      [...ledgers.values()].map(({ balanceId }) => balanceId),
      [...ledgers.values()].map(({ now }) => new Date(now)),
      periods.map(([, , since]) => since),
    ],
  );
  const byId = new Map([...ledgers.values()].map((ledger) => [ledger.balanceId, ledger]));
  const { recordedAt = 0, totals = [], credits = [], reserved = [], owed = [] } = contents ?? {};
  for (const ledger of ledgers.values()) ledger.recordedAt = recordedAt;
  for (const { balanceId, amount } of reserved) {
    const ledger = byId.get(balanceId);
    if (ledger) ledger.reserved = unitsOf(amount);
  }
  for (const { balanceId, ...total } of totals) {
    const { periodId, priceId } = total;
    const usage = unitsOf(total.usage);
    const digest = total.digest && runningDigest(total.digest);
    const cells = cellsOf(total.cells);
    const key = keyOf(periodId, priceId);
    byId.get(balanceId)?.totals.set(key, { ...total, usage, digest, cells });
  }
  for (const { balanceId, ...credit } of credits)
    byId.get(balanceId)?.credits.push(creditOf(credit));
  for (const { balanceId, periodId, priceId, quantity } of owed) {
    byId.get(balanceId)?.owed.set(keyOf(periodId, priceId), unitsOf(quantity));
  }
}

/** The usage of cells as a total stores it. */
export const cellsOf = (cells: Readonly<Record<string, string>> | null): Map<string, Units> =>
  new Map(Object.entries(cells ?? {}).map(([cell, usage]) => [cell, unitsOf(usage)]));

const creditOf = ({
  amount,
  remaining,
  expired,
  applied,
  rollover,
  ...credit
}: Omit<Contents['credits'][number], 'balanceId'>): Credit => ({
  ...credit,
  amount: unitsOf(amount),
  remaining: unitsOf(remaining),
  expired: unitsOf(expired),
  applied: new Map(Object.entries(applied ?? {}).map(([id, units]) => [id, unitsOf(units)])),
  rollover: rollover && {
    ...rollover,
    limit: rollover.limit === null ? null : unitsOf(rollover.limit),
    kept: unitsOf(rollover.kept),
    cut: unitsOf(rollover.cut),
  },
});
