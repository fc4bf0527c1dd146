import type { Execute } from './sql-functions.ts';

/** The tables that a rehearsal of billing writes. `rehearse_subscription` copies the rows of a customer there. */
const tables = [
  'customer',
  'test_clock',
  'subscription',
  'discount_redemption',
  'subscription_item',
  'subscription_item_feature',
  'billing_period',
  'billing_period_item',
  'billing_run',
  'consolidated_invoice',
  'invoice',
  'invoice_line_item',
  'one_off_charge',
  'subscription_phase',
  'prepaid_credit',
  'prepaid_credit_use',
  'usage_meter_balance',
  'usage_hour',
  'usage_credit',
  'usage_credit_application',
  'owed_usage',
  'ledger_transaction',
  'usage_total',
  'resource_claim_count',
  'mrr_change',
  'mrr_movement',
] as const;

/**
 * Brings the tables of rehearsals to the columns, checks and unique indexes of their originals, in a schema of their
 * own. They have no triggers and no foreign keys, so a rehearsal locks no row that others use, and counts nothing. A
 * table whose row type a function uses must not be among them: the database caches that type for a connection.
 */
export async function applyRehearsalTables(execute: Execute): Promise<void> {
  await execute(`do $$
declare
  own text := current_schema();
  copies text := own || '_rehearsal';
  name text;
begin
  if to_regnamespace(quote_ident(copies)) is null then
    execute format('create schema %I', copies);
  end if;
  foreach name in array '{${tables.join(',')}}'::text[] loop
    if rehearsal_shape(own, name) is distinct from rehearsal_shape(copies, name) then
      execute format('drop table if exists %I.%I', copies, name);
      execute format('create unlogged table %1$I.%2$I (like %3$I.%2$I including defaults including constraints
        including generated including indexes)', copies, name, own);
    end if;
  end loop;
end $$`);
}
