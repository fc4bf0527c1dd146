import { Migration } from '@mikro-orm/migrations';

/** A table without its organization, and the row that each of its rows belongs to. */
interface Owned {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  /** The parent's column; `id` when absent. */
  readonly key?: string;
  /** Whether a foreign key ties both to the same organization. */
  readonly tied?: boolean;
}

const owned: readonly Owned[] = [
  { table: 'billing_period_item', column: 'billing_period_id', parent: 'billing_period', tied: true },
  { table: 'book_opening', column: 'customer_id', parent: 'customer', tied: true },
  { table: 'credit_note_line', column: 'credit_note_id', parent: 'credit_note', tied: true },
  { table: 'mrr_change', column: 'subscription_id', parent: 'subscription', tied: true },
  { table: 'mrr_movement', column: 'customer_id', parent: 'customer', tied: true },
  { table: 'subscription_status_change', column: 'subscription_id', parent: 'subscription', tied: true },
  { table: 'owed_usage', column: 'balance_id', parent: 'usage_meter_balance', tied: true },
  { table: 'usage_hour', column: 'balance_id', parent: 'usage_meter_balance', tied: true },
  { table: 'usage_part', column: 'balance_id', parent: 'usage_meter_balance', tied: true },
  { table: 'usage_total', column: 'balance_id', parent: 'usage_meter_balance', tied: true },
  { table: 'usage_meter_part', column: 'usage_meter_id', parent: 'usage_meter', tied: true },
  { table: 'usage_credit_application', column: 'credit_id', parent: 'usage_credit', tied: true },
  { table: 'processor_customer', column: 'customer_id', parent: 'customer', tied: true },
  { table: 'processor_event', column: 'processor_account_id', parent: 'processor_account', tied: true },
  { table: 'resource_claim_count', column: 'subscription_id', parent: 'subscription', tied: true },
  { table: 'sandbox_refund', column: 'charge_key', parent: 'sandbox_charge', key: 'idempotency_key' },
  { table: 'sandbox_dispute', column: 'charge_key', parent: 'sandbox_charge', key: 'idempotency_key' },
  { table: 'idempotency_key', column: 'pricing_model_id', parent: 'pricing_model' },
  { table: 'revenue_day', column: 'pricing_model_id', parent: 'pricing_model' },
  { table: 'row_count', column: 'pricing_model_id', parent: 'pricing_model' },
  { table: 'statistic_day', column: 'pricing_model_id', parent: 'pricing_model' },
  { table: 'usage_event_key', column: 'id', parent: 'usage_event' },
  { table: 'usage_event_distinct', column: 'event_id', parent: 'usage_event' },
];

/**
 * Every row of an organization names it. Columns get the largest organization as their default while they are added,
 * which costs nothing however large the table is; then the rows of the others are changed. So the time depends on the
 * rows of all organizations but the largest.
 */
export class Migration20261212010000 extends Migration {
  override name = 'Migration20261212010000';

  override up(): void {
    for (const parent of new Set(owned.filter(({ tied }) => tied).map(({ parent }) => parent))) {
      this.addSql(
        `alter table ${parent} add constraint ${parent}_id_organization unique (id, organization_id)`,
      );
    }
    this.addSql(`create function pg_temp.largest_organization() returns text language sql as $$
      select id from organization o order by (select sum(rows) from row_count c join pricing_model m
        on m.id = c.pricing_model_id where m.organization_id = o.id) desc nulls last, id limit 1 $$`);
    for (const each of owned) for (const sql of naming(each)) this.addSql(sql);
    this.addSql('drop function pg_temp.largest_organization()');
    for (const each of owned) if (each.tied) this.addSql(tie(each));
    // Ids of two installations are not equal, and those of one follow each other.
    this.addSql(`alter table sandbox_notice alter column id set default
      floor(extract(epoch from clock_timestamp()) * 1000)::bigint * 1024 + (nextval('sandbox_notice_id_seq') & 1023)`);
  }
}

function naming({ table, column, parent, key = 'id' }: Owned): string[] {
  const type = table.startsWith('usage_event_') ? 'text' : 'varchar(255)';
  // Detached months of usage events are tables of their own, and their keys are still known.
  const parents =
    parent === 'usage_event'
      ? `select c.oid::regclass as name from pg_class c where c.relnamespace = current_schema()::regnamespace
           and c.relkind = 'r' and (c.relname ~ '^usage_event_\\d{4}_\\d{2}$' or c.relname = 'usage_event_rest')`
      : `select '${parent}'::regclass as name`;
  return [
    `do $$
      declare
        largest text := coalesce(pg_temp.largest_organization(), '');
        parent regclass;
      begin
        execute format('alter table ${table} add column organization_id ${type} not null default %L', largest);
        if (select count(*) from organization) > 1 then
          for parent in ${parents} loop
            execute format('update ${table} t set organization_id = p.organization_id from %s p
              where p.${key} = t.${column} and p.organization_id <> %L', parent, largest);
          end loop;
        end if;
      end $$`,
    `alter table ${table} alter column organization_id drop default`,
  ];
}

/** The foreign key to the parent, with the name and the action that it has, contains the organization. */
const tie = ({ table, column, parent }: Owned) => `do $$
  declare
    old record;
  begin
    select conname, case confdeltype when 'c' then ' on delete cascade' when 'r' then ' on delete restrict' else '' end as action
      into strict old from pg_constraint
      where conrelid = '${table}'::regclass and confrelid = '${parent}'::regclass and contype = 'f'
        and conkey = array[(select attnum from pg_attribute where attrelid = '${table}'::regclass and attname = '${column}')];
    execute format('alter table ${table} drop constraint %1$I, add constraint %1$I
      foreign key (${column}, organization_id) references ${parent} (id, organization_id)%2$s', old.conname, old.action);
  end $$`;
