import type { DuckDBConnection } from '@duckdb/node-api';
import type pg from 'pg';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { shortAmount } from '#domain/metering/history/history-portion.ts';
import { sqlText } from '#domain/metering/history/sql-text.ts';
import { sumOfSha256 } from '#domain/metering/ledger/running-digest.ts';
import type { StoredDigest } from '#domain/model/metering/usage-total.ts';
import { type EventGroup, groupCondition } from './file-of-events.ts';
import { fileChecksum, tableChecksum } from './row-checksum.ts';

/** The events of a file as both the table and the file have them. */
export interface VerifiedEvents {
  readonly events: number;
  readonly firstCreatedAt: number;
  readonly lastCreatedAt: number;
  readonly firstUsageDate: number;
  readonly lastUsageDate: number;
}

interface Sums extends Record<string, unknown> {
  readonly events: number;
  readonly amounts: string;
  readonly checksum: string;
}

/**
 * Reads a file and compares it with the table: the number of events, their sum, and a checksum of all columns. Then
 * compares the events of each usage total with the digest that recording has kept. Errors: one that names the
 * difference.
 */
export async function verifyFile(
  client: pg.ClientBase,
  connection: DuckDBConnection,
  file: string,
  table: string,
  group: EventGroup,
): Promise<VerifiedEvents> {
  const { rows } = await client.query<Sums>(
    `select count(*)::float8 as events, trim_scale(coalesce(sum(amount), 0))::text as amounts, ${tableChecksum} as checksum
     from ${client.escapeIdentifier(table)} where ${groupCondition(client, group)}`,
  );
  const stored = rows[0] as Sums;
  const result = await connection.runAndReadAll(
    `select count(*)::double as events, sum(amount_value)::varchar as amounts, ${fileChecksum} as checksum,
       epoch_ms(min(created_at))::double as "firstCreatedAt", epoch_ms(max(created_at))::double as "lastCreatedAt",
       epoch_ms(min(usage_date))::double as "firstUsageDate", epoch_ms(max(usage_date))::double as "lastUsageDate"
     from read_parquet(${sqlText(file)})`,
  );
  const written = result.getRowObjectsJS()[0] as unknown as Sums & VerifiedEvents;
  const isEqual =
    stored.events === written.events &&
    unitsOf(stored.amounts) === unitsOf(written.amounts) &&
    stored.checksum === written.checksum;
  if (!isEqual) {
    throw new Error(
      `${table}: ${stored.events} events with a sum of ${stored.amounts} and checksum ${stored.checksum} are ${written.events} with ${written.amounts} and ${written.checksum} in the file`,
    );
  }
  await verifyTotals(client, connection, file);
  const { amounts: _amounts, checksum: _checksum, ...verified } = written;
  return verified;
}

interface FileTotal {
  readonly subscription: string;
  readonly meter: string;
  readonly period: string;
  readonly price: string;
  readonly count: number;
  readonly sum: string;
  readonly words: readonly number[];
}

const wordCount = 16;
const hexOfWord = 4;
const words = Array.from(
  { length: wordCount },
  (_, word) =>
    `sum(('0x' || substr(digest, ${word * hexOfWord + 1}, ${hexOfWord}))::bigint)::double`,
).join(', ');

const totals = (file: string) => `select subscription_id as subscription, usage_meter_id as meter,
    case when after_end then 'ended' else coalesce(billing_period_id, '') end as period, price_id as price,
    count(*)::double as count, sum(amount_value)::varchar as sum, [${words}] as words
  from (select *, sha256(id || ' ' || ${shortAmount}) as digest from read_parquet(${sqlText(file)}) where voided_at is null)
  group by all`;

/** Compares the totals of a file with their digests, in portions. */
async function verifyTotals(client: pg.ClientBase, connection: DuckDBConnection, file: string) {
  const result = await connection.stream(totals(file));
  for await (const rows of result.yieldRowObjectJs()) {
    await compareTotals(client, rows as unknown as FileTotal[]);
  }
}

async function compareTotals(client: pg.ClientBase, found: readonly FileTotal[]) {
  const { rows } = await client.query<{ place: number; digest: StoredDigest }>(
    `select found.place::int as place, t.digest
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
       as found (subscription_id, usage_meter_id, billing_period_id, price_id, place)
     join usage_meter_balance b using (subscription_id, usage_meter_id)
     join usage_total t on t.balance_id = b.id and t.billing_period_id = found.billing_period_id and t.price_id = found.price_id
     where t.digest is not null`,
    [
      found.map(({ subscription }) => subscription),
      found.map(({ meter }) => meter),
      found.map(({ period }) => period),
      found.map(({ price }) => price),
    ],
  );
  for (const { place, digest } of rows) {
    const total = found[place - 1] as FileTotal;
    if (isPartOf(total, digest)) continue;
    const { subscription, meter, period, count, sum } = total;
    throw new Error(
      `Subscription ${subscription}, meter ${meter}, period ${period || 'none'}: ${count} events with a sum of ${sum} are in the month, and its total has ${digest.count} with ${digest.sum}`,
    );
  }
}

/** Whether events are those of a total, or part of them where other months have the rest. */
function isPartOf({ count, sum, words }: FileTotal, digest: StoredDigest): boolean {
  if (count < digest.count) return unitsOf(sum) <= unitsOf(digest.sum);
  return (
    count === digest.count &&
    unitsOf(sum) === unitsOf(digest.sum) &&
    sumOfSha256(Float64Array.from(words)) === digest.sumOfSha256
  );
}
