import { unitsOf } from '#domain/kernel/decimal.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { type Account, accounts } from '#domain/usage-balances/accounts.ts';
import type { Ledger } from './ledger.ts';
import { readLedgers } from './read-ledgers.ts';

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
  await readLedgers(session, ledgers, periods);
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
