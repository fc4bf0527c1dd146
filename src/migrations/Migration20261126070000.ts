import { Migration } from '@mikro-orm/migrations';

/** Runs and invoices are looked for by their period, and payable invoices by their customer. */
export class Migration20261126070000 extends Migration {
  override name = 'Migration20261126070000';

  override up(): void {
    this.addSql('create index billing_run_period on billing_run (billing_period_id)');
    this.addSql('drop index invoice_payable');
    this.addSql(`create index invoice_payable on invoice (pricing_model_id, customer_id)
      where (status in ('open', 'awaiting_payment_confirmation'))`);
    this.addSql('create index invoice_period on invoice (billing_period_id)');
  }
}
