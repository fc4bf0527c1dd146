import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText } from '#domain/kernel/values/decimal.ts';
import { compareAlerts } from '#domain/metering/alerts/compare-alerts.ts';
import type { Measure } from '#domain/metering/alerts/measure-alerts.ts';
import type { Credit, Ledger } from '#domain/metering/ledger/ledger.ts';
import { storedDigest } from '#domain/metering/ledger/running-digest.ts';
import { accounts } from '#domain/model/metering/accounts.ts';
import { causeRows } from '#domain/platform/feed/origin.ts';
import {
  causesOfEvents,
  emitNumbered,
  insertEvents,
  type NewEvent,
  numberedValues,
} from '#domain/platform/feed/write-events.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The rise of usage in an hour, which is identified by its start in milliseconds. */
export interface Hour {
  readonly balanceId: string;
  readonly hour: number;
  usage: bigint;
  events: number;
  /** The earliest and the latest creation of its new events in milliseconds; null where none is new. */
  firstAt: number | null;
  lastAt: number | null;
}

/** The columns of a new credit besides its numbers. */
export interface CreditDetails {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly customerId: string;
  readonly source: string;
  readonly sourceId: string | null;
  readonly purchaseId: string | null;
  readonly billingPeriodId: string;
  readonly reason: string | null;
}

interface Parts {
  readonly hours?: readonly Hour[];
  /** The details of each new credit, by its id. */
  readonly credits?: ReadonlyMap<string, CreditDetails>;
  /** The events that are emitted with it. */
  readonly events?: readonly NewEvent[];
  /** Whether the events are the first ones of new objects, and their transaction commits next. */
  readonly isLast?: boolean;
  /** Whether nothing may refuse them any more, so that their statement commits them. */
  readonly commits?: boolean;
}

const accountColumns = accounts.join(', ');
const accountTypes = accounts.map((account) => `${account} numeric`).join(', ');

/** Statements of one transaction, each with the place of its rows among the parameters. */
const usageParts = (balances: string, totals: string, hours: string) => `balances as (
    update usage_meter_balance b
    set updated_at = greatest(b.updated_at, to_timestamp(c.at / 1000.0)), version = b.version + 1, ${accounts.map((account) => `${account} = c.${account}`).join(', ')}
    from jsonb_to_recordset(${balances}::jsonb) as c (id text, at bigint, ${accountTypes}) where b.id = c.id),
  totals as (
    insert into usage_total (organization_id, balance_id, billing_period_id, price_id, usage, events, last_usage_date,
      last_event_id, digest, cells)
    select $2, "balanceId", "periodId", "priceId", usage, events, to_timestamp("lastUsageDate" / 1000.0), "lastEventId", digest,
      cells
    from jsonb_to_recordset(${totals}::jsonb) as c ("balanceId" text, "periodId" text, "priceId" text, usage numeric,
      events bigint, "lastUsageDate" bigint, "lastEventId" text, digest jsonb, cells jsonb)
    on conflict (balance_id, billing_period_id, price_id) do update
    set usage = excluded.usage, events = excluded.events, last_usage_date = excluded.last_usage_date,
      last_event_id = excluded.last_event_id, digest = excluded.digest, cells = excluded.cells),
  hours as (
    insert into usage_hour as stored (organization_id, balance_id, hour, usage, events, first_at, last_at, changed_at,
      counted)
    select $2, "balanceId", to_timestamp(hour / 1000.0), usage, events, coalesce(to_timestamp("firstAt" / 1000.0), 'infinity'),
      coalesce(to_timestamp("lastAt" / 1000.0), '-infinity'), now(), false
    from jsonb_to_recordset(${hours}::jsonb) as c ("balanceId" text, hour bigint, usage numeric, events bigint,
      "firstAt" bigint, "lastAt" bigint)
    on conflict (balance_id, hour) do update set usage = stored.usage + excluded.usage, events = stored.events + excluded.events,
      first_at = least(stored.first_at, excluded.first_at), last_at = greatest(stored.last_at, excluded.last_at),
      changed_at = excluded.changed_at, counted = false)`;

const creditParts = (
  created: string,
  changed: string,
  applied: string,
  owed: string,
) => `new_credits as (
    insert into usage_credit (id, created_at, updated_at, livemode, organization_id, pricing_model_id, balance_id,
      subscription_id, usage_meter_id, customer_id, amount, remaining, expired, expires_at, priority, source,
      source_id, purchase_id, billing_period_id, reason, rollover_periods, rollover_limit, rolled_over, not_rolled_over)
    select id, to_timestamp(at / 1000.0), to_timestamp(at / 1000.0), $1, $2, $3, "balanceId", "subscriptionId", "usageMeterId", "customerId", amount, remaining,
      expired, to_timestamp("expiresAt" / 1000.0), priority, source, "sourceId", "purchaseId", "billingPeriodId", reason,
      "rolloverPeriods", "rolloverLimit", 0, 0
    from jsonb_to_recordset(${created}::jsonb) as c (id text, at bigint, "balanceId" text, "subscriptionId" text, "usageMeterId" text,
      "customerId" text, amount numeric, remaining numeric, expired numeric, "expiresAt" bigint, priority int,
      source text, "sourceId" text, "purchaseId" text, "billingPeriodId" text, reason text, "rolloverPeriods" int,
      "rolloverLimit" numeric)),
  changed_credits as (
    update usage_credit u
    set updated_at = greatest(u.updated_at, to_timestamp(c.at / 1000.0)), version = u.version + 1, remaining = c.remaining, expired = c.expired,
      expires_at = case when "rolledInto" is distinct from rolled_into then to_timestamp("expiresAt" / 1000.0) else expires_at end,
      rollover_periods = coalesce("rolloverPeriods", rollover_periods), rolled_into = "rolledInto",
      rolled_over = coalesce("rolledOver", 0), not_rolled_over = coalesce("notRolledOver", 0)
    from jsonb_to_recordset(${changed}::jsonb) as c (id text, at bigint, remaining numeric, expired numeric, "expiresAt" bigint,
      "rolloverPeriods" int, "rolledInto" text, "rolledOver" numeric, "notRolledOver" numeric) where u.id = c.id),
  applications as (
    insert into usage_credit_application (organization_id, credit_id, billing_period_id, amount)
    select $2, "creditId", "periodId", amount
    from jsonb_to_recordset(${applied}::jsonb) as c ("creditId" text, "periodId" text, amount numeric)
    on conflict (credit_id, billing_period_id) do update set amount = excluded.amount),
  owed as (
    insert into owed_usage (id, organization_id, created_at, balance_id, billing_period_id, price_id, quantity)
    select id, $2, to_timestamp(at / 1000.0), "balanceId", "periodId", "priceId", quantity
    from jsonb_to_recordset(${owed}::jsonb) as c (id text, at bigint, "balanceId" text, "periodId" text, "priceId" text,
      quantity numeric))`;

const laterFrom = (events: string) => `emitted as (${insertEvents(events)})`;

const postingsPart = (
  postings: string,
) => `insert into ledger_transaction (id, created_at, livemode, organization_id, pricing_model_id, balance_id, type,
    source_id, billing_period_id, price_id, ${accountColumns})
  select id, to_timestamp(at / 1000.0), $1, $2, $3, "balanceId", type, "sourceId", "periodId", "priceId", ${accountColumns}
  from jsonb_to_recordset(${postings}::jsonb) as c (id text, at bigint, "balanceId" text, type text, "sourceId" text, "periodId" text,
    "priceId" text, ${accountTypes})`;

const ofUsage = usageParts('$4', '$5', '$6');
const ofPostings = postingsPart('$7');
const ofCauses = causesOfEvents('$8');
const ofCredits = creditParts('$9', '$10', '$11', '$12');
const numberedFrom = (first: number) => emitNumbered(first, ['$2', '$3', '$1']);

/**
 * Most usage changes no credit. Preparing to write none would take a sixth of the statement's time. PostgreSQL executes
 * the writes of a `with` from the last to the first. So the numbering comes first in the text: its lock on the head of
 * the feed is the last one.
 */
const texts = {
  usage: `with ${ofUsage}, ${ofCauses}, ${laterFrom('$9')} ${ofPostings}`,
  ledgers: `with ${ofUsage}, ${ofCauses}, ${laterFrom('$13')}, ${ofCredits} ${ofPostings}`,
  'numbered usage': `with ${numberedFrom(9)}, ${ofCauses}, ${ofUsage} ${ofPostings}`,
  'numbered ledgers': `with ${numberedFrom(13)}, ${ofCauses}, ${ofUsage}, ${ofCredits} ${ofPostings}`,
};

/**
 * Writes all pending changes of locked ledgers in one statement, then compares the alerts on them. Returns what was
 * compared.
 */
export async function writeLedgers(
  session: Session,
  ledgers: readonly Ledger[],
  parts: Parts = {},
): Promise<readonly Measure[]> {
  await write(session, ledgers, parts);
  return compareAlerts(session, ledgers);
}

async function write(
  { em, livemode, organizationId, pricingModelId }: Session,
  ledgers: readonly Ledger[],
  { hours = [], credits = new Map(), events = [], isLast = false, commits = false }: Parts,
) {
  const usage = [
    rows(ledgers, (ledger) => [{ id: ledger.balanceId, at: ledger.now, ...ledger.balances }]),
    rows(ledgers, ({ balanceId, changedTotals }) =>
      [...changedTotals].map(({ digest, cells, ...total }) => ({
        balanceId,
        ...total,
        digest: digest && storedDigest(digest),
        ...(cells.size > 0 && { cells: written(Object.fromEntries(cells)) }),
      })),
    ),
    rows(hours, (hour) => [hour]),
    rows(ledgers, ({ balanceId, now: at, postings }) =>
      postings.map((posting) => ({ at, id: newId('ledger_transaction'), balanceId, ...posting })),
    ),
    causeRows(events),
  ];
  const tenant = [livemode, organizationId, pricingModelId];
  if (!ledgers.some(changesCredits)) {
    await run('usage', [...tenant, ...usage]);
    return;
  }
  const changes = [
    rows(ledgers, ({ balanceId, now: at, newCredits }) =>
      [...newCredits].map((credit) => ({
        at,
        balanceId,
        ...plain(credit),
        ...credits.get(credit.id),
      })),
    ),
    rows(ledgers, ({ now: at, changedCredits, newCredits }) =>
      [...changedCredits]
        .filter((credit) => !newCredits.has(credit))
        .map((credit) => ({ at, ...plain(credit) })),
    ),
    rows(ledgers, ({ changedCredits }) =>
      [...changedCredits].flatMap(({ id, applied }) =>
        [...applied].map(([periodId, amount]) => ({ creditId: id, periodId, amount })),
      ),
    ),
    rows(ledgers, ({ balanceId, now: at, owing }) =>
      owing.map((owed) => ({ at, id: newId('owed_usage'), balanceId, ...owed })),
    ),
  ];
  await run('ledgers', [...tenant, ...usage, ...changes]);

  function run(of: 'usage' | 'ledgers', values: readonly unknown[]) {
    // Alerts are compared after this statement, and may lock and emit more.
    const isNumbered = isLast && !ledgers.some(({ watched }) => watched);
    const name = isNumbered ? (`numbered ${of}` as const) : of;
    const options = { joins: !isNumbered, commits: isNumbered && commits };
    const given = isNumbered ? numberedValues(events) : [JSON.stringify(events)];
    return statement(em, `write ${name}`, texts[name], [...values, ...given], options);
  }
}

const changesCredits = ({ newCredits, changedCredits, owing }: Ledger) =>
  newCredits.size > 0 || changedCredits.size > 0 || owing.length > 0;

/**
 * A credit without its position, which the database assigns, and without its applications, which have their own
 * table.
 */
const plain = ({ applied: _applied, position: _position, rollover, ...credit }: Credit) => ({
  ...credit,
  ...(rollover && {
    rolloverPeriods: rollover.periods,
    rolloverLimit: rollover.limit,
    rolledInto: rollover.into,
    rolledOver: rollover.kept,
    notRolledOver: rollover.cut,
  }),
});

/** Rows as JSON, in which exact numbers are text. */
const rows = <T>(items: readonly T[], of: (item: T) => object[]) =>
  JSON.stringify(items.flatMap(of).map(written));

function written(row: object) {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    texts[name] = typeof value === 'bigint' ? decimalText(value) : value;
  }
  return texts;
}
