import { Migration } from '@mikro-orm/migrations';

/** What is invoiced, paid and refunded on each day, counted in the transactions that change it. */
export class Migration20261121122500 extends Migration {
  override up() {
    this.addSql(`create table "revenue_day" ("pricing_model_id" varchar(255) not null, "currency" varchar(3) not null, "day" date not null, "backend" int not null, "invoiced" bigint not null, "paid" bigint not null, "refunded" bigint not null, primary key ("pricing_model_id", "currency", "day", "backend"));`);
    this.addSql(`create index "subscription_paying" on "subscription" ("pricing_model_id") where "is_free_plan" = false and "do_not_charge" = false and "status" in ('active', 'past_due', 'cancellation_scheduled', 'unpaid');`);
    this.addSql(`create index "invoice_payable" on "invoice" ("pricing_model_id") where "status" in ('open', 'awaiting_payment_confirmation');`);

    // Each connection adds to a row of its own, so that no writer waits for another one here.
    this.addSql(`create function add_revenue(model text, unit text, moment timestamptz, more_invoiced bigint, more_paid bigint, more_refunded bigint)
returns void language sql as $$
  insert into revenue_day as held (pricing_model_id, currency, day, backend, invoiced, paid, refunded)
  values (model, unit, (moment at time zone 'UTC')::date, pg_backend_pid(), more_invoiced, more_paid, more_refunded)
  on conflict (pricing_model_id, currency, day, backend) do update set invoiced = held.invoiced + excluded.invoiced,
    paid = held.paid + excluded.paid, refunded = held.refunded + excluded.refunded
$$`);

    // An invoice counts on its date, from when it is no draft any more until it is taken back.
    this.addSql(`create function count_invoiced() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status not in ('draft', 'void') then
    perform add_revenue(old.pricing_model_id, old.currency, old.invoice_date, -old.total, 0, 0);
  end if;
  if tg_op <> 'DELETE' and new.status not in ('draft', 'void') then
    perform add_revenue(new.pricing_model_id, new.currency, new.invoice_date, new.total, 0, 0);
  end if;
  return null;
end $$`);
    this.addSql(`create trigger revenue_added after insert on invoice for each row
      when (new.status not in ('draft', 'void')) execute function count_invoiced()`);
    this.addSql(`create trigger revenue_changed after update on invoice for each row
      when ((old.status in ('draft', 'void')) <> (new.status in ('draft', 'void'))
        or (old.status not in ('draft', 'void') and (old.total, old.currency, old.invoice_date)
          is distinct from (new.total, new.currency, new.invoice_date)))
      execute function count_invoiced()`);
    this.addSql(`create trigger revenue_removed after delete on invoice for each row
      when (old.status not in ('draft', 'void')) execute function count_invoiced()`);

    // A payment counts on the day on which it succeeds, and what goes back on the day of the refund.
    this.addSql(`create function count_paid() returns trigger language plpgsql as $$
declare
  before_refunded bigint := 0;
  was_paid boolean := false;
begin
  if tg_op = 'UPDATE' then
    before_refunded := old.refunded_amount;
    was_paid := old.status in ('succeeded', 'refunded');
  end if;
  if new.status in ('succeeded', 'refunded') and not was_paid then
    perform add_revenue(new.pricing_model_id, new.currency, coalesce(new.settlement_date, new.charge_date), 0, new.amount, 0);
  end if;
  if new.refunded_amount <> before_refunded then
    perform add_revenue(new.pricing_model_id, new.currency, coalesce(new.refunded_at, new.updated_at), 0, 0, new.refunded_amount - before_refunded);
  end if;
  return null;
end $$`);
    this.addSql(`create trigger revenue_added after insert on payment for each row
      when (new.status in ('succeeded', 'refunded') or new.refunded_amount > 0) execute function count_paid()`);
    this.addSql(`create trigger revenue_changed after update on payment for each row
      when (old.status <> new.status or old.refunded_amount <> new.refunded_amount) execute function count_paid()`);

    // Before, because its refunds, which go with it, say on which days the money went back.
    this.addSql(`create function uncount_paid() returns trigger language plpgsql as $$
begin
  if old.status in ('succeeded', 'refunded') then
    perform add_revenue(old.pricing_model_id, old.currency, coalesce(old.settlement_date, old.charge_date), 0, -old.amount, 0);
  end if;
  perform add_revenue(old.pricing_model_id, old.currency, updated_at, 0, 0, -amount)
    from refund where payment_id = old.id and status = 'succeeded';
  return old;
end $$`);
    this.addSql(`create trigger revenue_removed before delete on payment for each row execute function uncount_paid()`);

    this.addSql(`insert into revenue_day (pricing_model_id, currency, day, backend, invoiced, paid, refunded)
      select pricing_model_id, currency, (at at time zone 'UTC')::date, 0, sum(invoiced), sum(paid), sum(refunded) from (
        select pricing_model_id, currency, invoice_date as at, total as invoiced, 0 as paid, 0 as refunded
        from invoice where status not in ('draft', 'void')
        union all
        select pricing_model_id, currency, coalesce(settlement_date, charge_date), 0, amount, 0
        from payment where status in ('succeeded', 'refunded')
        union all
        select refund.pricing_model_id, currency, refund.updated_at, 0, 0, refund.amount
        from refund join payment on payment.id = payment_id where refund.status = 'succeeded'
      ) as counted group by 1, 2, 3`);
  }
}
