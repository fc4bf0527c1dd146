import { Migration } from '@mikro-orm/migrations';

/** Invoices and billing runs state their purpose instead of a flag. */
export class Migration20261122110000 extends Migration {
  override name = 'Migration20261122110000';

  override up(): void {
    this.addSql(`
      alter table invoice add purpose text;
      update invoice i set purpose = case
        when type <> 'subscription' then 'manual'
        when not is_adjustment then 'period'
        when billing_run_id is not null then 'adjustment'
        -- A correction of usage shows lines below 0, and amounts to 0.
        when subtotal = 0 and exists (select from invoice_line_item l where l.invoice_id = i.id and l.quantity < 0)
          then 'usage_correction'
        else 'last_usage' end`);
    this.addSql(`
      alter table billing_run add purpose text not null default 'period';
      update billing_run set purpose = 'adjustment' where is_adjustment;
      update billing_run r set purpose = 'last_usage' from invoice i
        where i.id = r.invoice_id and i.purpose = 'last_usage'`);

    this.addSql(`
      alter table invoice alter column purpose set not null;
      drop index invoice_period_unique;
      alter table invoice drop column is_adjustment;
      create unique index invoice_period_unique on invoice (billing_period_id) where purpose = 'period';
      alter table invoice add constraint invoice_purpose_check
        check (purpose in ('period', 'adjustment', 'last_usage', 'usage_correction', 'manual'));
      alter table invoice add constraint invoice_purpose check (case purpose
        when 'manual' then type <> 'subscription'
        when 'period' then type = 'subscription' and billing_period_id is not null
        when 'adjustment' then type = 'subscription' and billing_period_id is not null and billing_run_id is not null
        else type = 'subscription' and billing_run_id is null end)`);
    this.addSql(`
      alter table billing_run drop constraint billing_run_adjusts;
      drop index billing_run_adjustment_unique;
      drop index billing_run_attempt_unique;
      drop index billing_run_open_unique;
      alter table billing_run drop column is_adjustment;
      create unique index billing_run_adjustment_unique on billing_run (subscription_id)
        where purpose = 'adjustment' and status in ('scheduled', 'started', 'awaiting_payment_confirmation');
      create unique index billing_run_attempt_unique on billing_run (billing_period_id, attempt_number)
        where purpose in ('period', 'last_usage');
      create unique index billing_run_open_unique on billing_run (billing_period_id)
        where purpose in ('period', 'last_usage') and status in ('scheduled', 'started', 'awaiting_payment_confirmation');
      alter table billing_run add constraint billing_run_purpose_check
        check (purpose in ('period', 'adjustment', 'last_usage'));
      alter table billing_run add constraint billing_run_adjusts
        check ((purpose = 'adjustment') = (adjustment is not null))`);
  }
}
