import { Migration } from '@mikro-orm/migrations';

/** Money that arrives after a failure was stored, and payment methods that the processor is still to detach. */
export class Migration20261123010000 extends Migration {
  override name = 'Migration20261123010000';

  override up(): void {
    // A charge that takes money after all makes its payment succeed; one that was recorded by hand stays canceled.
    this.addSql('drop trigger payment_kept on payment');
    this.addSql(`create trigger payment_kept before update on payment for each row
      when ((old.status in ('failed', 'canceled') and new.status <> old.status
          and not (new.status = 'succeeded' and new.remittance_id is null))
        or (old.status = 'refunded' and new.status not in ('refunded', 'succeeded'))
        or (old.status = 'succeeded' and new.status not in ('succeeded', 'refunded')
          and not (new.status = 'canceled' and new.remittance_id is not null))
        or (old.status = 'refunded' and new.status = 'succeeded' and new.refunded_amount >= old.refunded_amount)
        or (old.amount, old.currency, old.invoice_id, old.idempotency_key, old.remittance_id)
          is distinct from (new.amount, new.currency, new.invoice_id, new.idempotency_key, new.remittance_id))
      execute function keep_payment()`);
    this.addSql('alter table payment_method add column detach_due_at timestamptz(3)');
    this.addSql(`create index payment_method_detach on payment_method (detach_due_at, id)
      where detach_due_at is not null`);
  }
}
