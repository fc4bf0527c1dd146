import { Migration } from '@mikro-orm/migrations';

/** Totals have as many rows as transactions have ever written at the same time, and not one for each connection. */
export class Migration20261122020000 extends Migration {
  override up() {
    this.addSql(`alter table "row_count" rename column "backend" to "slot";`);
    this.addSql(`alter table "revenue_day" rename column "backend" to "slot";`);
    this.addSql(`create sequence total_slot as int cycle`);
    // Where a row is written many times, its new versions fit beside it.
    this.addSql(`alter table "row_count" set (fillfactor = 40)`);
    this.addSql(`alter table "revenue_day" set (fillfactor = 40)`);

    // A writer takes the first row that no other one has locked, and adds one where all of them are locked. So it
    // never waits, whatever it locks in whatever order, and there are as many rows as writers were at the same time.
    this.addSql(`create function add_row_count(counted text, model text, more bigint) returns void language plpgsql as $$
begin
  update row_count set rows = rows + more
  where relation = counted and pricing_model_id = model and slot = (
    select slot from row_count where relation = counted and pricing_model_id = model
    order by slot limit 1 for update skip locked);
  if not found then
    insert into row_count (relation, pricing_model_id, slot, rows)
    values (counted, model, nextval('total_slot'), more);
  end if;
end $$`);

    this.addSql(`create or replace function count_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_row_count(tg_table_name, pricing_model_id, count(*)) from added group by pricing_model_id;
  else
    perform add_row_count(tg_table_name, pricing_model_id, -count(*)) from removed group by pricing_model_id;
  end if;
  return null;
end $$`);

    this.addSql(`create or replace function add_revenue(model text, unit text, moment timestamptz, more_invoiced bigint, more_paid bigint, more_refunded bigint)
returns void language plpgsql as $$
declare
  on_day date := (moment at time zone 'UTC')::date;
begin
  update revenue_day set invoiced = invoiced + more_invoiced, paid = paid + more_paid, refunded = refunded + more_refunded
  where pricing_model_id = model and currency = unit and day = on_day and slot = (
    select slot from revenue_day where pricing_model_id = model and currency = unit and day = on_day
    order by slot limit 1 for update skip locked);
  if not found then
    insert into revenue_day (pricing_model_id, currency, day, slot, invoiced, paid, refunded)
    values (model, unit, on_day, nextval('total_slot'), more_invoiced, more_paid, more_refunded);
  end if;
end $$`);

    this.addSql(`with gone as (delete from row_count returning *)
      insert into row_count (relation, pricing_model_id, slot, rows)
      select relation, pricing_model_id, 0, sum(rows) from gone group by 1, 2`);
    this.addSql(`with gone as (delete from revenue_day returning *)
      insert into revenue_day (pricing_model_id, currency, day, slot, invoiced, paid, refunded)
      select pricing_model_id, currency, day, 0, sum(invoiced), sum(paid), sum(refunded) from gone group by 1, 2, 3`);
  }
}
