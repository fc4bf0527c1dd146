import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { type Account, accounts } from '#domain/model/metering/accounts.ts';
import { type Statement, statement, statements } from '#engines/lockstep/statement.ts';
import type { Ledger } from './ledger.ts';
import { type Contents, contentsStatement, fillLedgers } from './read-ledgers.ts';

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
 * Locks ledgers until the transaction ends, in one order for every process, and reads their contents, in one round trip
 * however many ledgers there are. It creates missing ledgers. Lock the subscriptions first, so that their periods do not
 * change.
 */
export async function lockLedgers(
  session: Session,
  wanted: readonly Wanted[],
): Promise<Map<string, Ledger>> {
  const own = ledgerStatements(session, wanted);
  const results = await statements(session.em, own);
  const ledgers = lockedLedgers(wanted, results);
  if (ledgers) return ledgers;
  await begin(session, absentIn(wanted, results));
  const again = lockedLedgers(wanted, await statements(session.em, own));
  if (!again) throw new Error('A ledger that was just created is missing');
  return again;
}

const columns = accounts.map((account) => `b.${account}::text`).join(', ');

/** The statements that lock ledgers and read them, for `lockedLedgers`. */
export const ledgerStatements = (
  { pricingModelId }: Session,
  wanted: readonly Wanted[],
): Statement[] => [
  {
    name: 'lock balances',
    text: `select b.id, b.subscription_id as "subscriptionId", b.usage_meter_id as "usageMeterId", ${columns}
     from usage_meter_balance b
     join unnest($1::text[], $2::text[]) as wanted (subscription_id, usage_meter_id)
       on b.subscription_id = wanted.subscription_id and b.usage_meter_id = wanted.usage_meter_id
     where b.pricing_model_id = $3
     order by b.subscription_id, b.usage_meter_id for update of b`,
    values: [
      wanted.map(({ subscriptionId }) => subscriptionId),
      wanted.map(({ usageMeterId }) => usageMeterId),
      pricingModelId,
    ],
  },
  contentsStatement(wanted),
];

type Results = readonly (readonly unknown[])[];

const balancesIn = ([balances = []]: Results) =>
  new Map(
    (balances as Balance[]).map((row) => [ledgerKeyOf(row.subscriptionId, row.usageMeterId), row]),
  );

const keyOfWanted = ({ subscriptionId, usageMeterId }: Wanted) =>
  ledgerKeyOf(subscriptionId, usageMeterId);

function absentIn(wanted: readonly Wanted[], results: Results): Wanted[] {
  const balances = balancesIn(results);
  return wanted.filter((one) => !balances.has(keyOfWanted(one)));
}

/**
 * The ledgers from the results of `ledgerStatements`, which may have more. Undefined where one of them does not exist
 * yet.
 */
export function lockedLedgers(
  wanted: readonly Wanted[],
  results: Results,
): Map<string, Ledger> | undefined {
  const balances = balancesIn(results);
  const ledgers = new Map<string, Ledger>();
  for (const one of wanted) {
    const balance = balances.get(keyOfWanted(one));
    if (!balance) return undefined;
    ledgers.set(keyOfWanted(one), ledgerOf(balance, one));
  }
  const [, [contents] = []] = results;
  fillLedgers(ledgers.values(), contents as Contents | undefined);
  return ledgers;
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
