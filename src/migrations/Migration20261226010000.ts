import { Migration } from '@mikro-orm/migrations';

const pending = `('processing', 'requires_confirmation', 'requires_action')`;

/** One charge may pay several invoices: each has a payment of its part, and the first one names the sum. */
export class Migration20261226010000 extends Migration {
  override name = 'Migration20261226010000';

  override up(): void {
    this.addSql(
      'alter table payment add column charged_with_id varchar(255), add column charge_amount bigint',
    );
    this.addSql(`create index payment_charged_with on payment (charged_with_id)
      where charged_with_id is not null`);
    this.addSql(`alter table payment drop constraint payment_pending_due, add constraint payment_pending_due
      check (check_due_at is not null or charged_with_id is not null
        or status in ('canceled', 'failed', 'refunded', 'succeeded'))`);
    this.addSql(`alter table payment add constraint payment_charge
      check (num_nonnulls(charged_with_id, charge_amount, remittance_id) <= 1
        and (charge_amount is null or charge_amount > amount)
        and (charged_with_id is null or check_due_at is null))`);
    this.addSql(`alter table payment add constraint payment_charged_with_tenant
      foreign key (charged_with_id, pricing_model_id) references payment (id, pricing_model_id)
      on delete cascade deferrable initially deferred`);
    // The function has a file, and is empty until then.
    this.addSql(
      `create function check_charge() returns trigger language plpgsql as 'begin return null; end'`,
    );
    this.addSql(`create constraint trigger charge_added after insert on payment
      deferrable initially deferred for each row
      when (coalesce(new.charged_with_id, new.charge_amount::text) is not null)
      execute function check_charge()`);
    this.addSql(`create constraint trigger charge_settled after update on payment
      deferrable initially deferred for each row
      when (coalesce(new.charged_with_id, new.charge_amount::text) is not null and old.status <> new.status
        and (old.status in ${pending} or old.status in ('failed', 'canceled')))
      execute function check_charge()`);
    this.addSql('drop trigger payment_kept on payment');
    const terms = (row: string) =>
      ['amount', 'currency', 'invoice_id', 'idempotency_key', 'remittance_id', 'charged_with_id', 'charge_amount']
        .map((column) => `${row}.${column}`)
        .join(', ');
    this.addSql(`create trigger payment_kept before update on payment for each row
      when ((old.status in ('failed', 'canceled') and new.status <> old.status
          and not (new.status = 'succeeded' and new.remittance_id is null))
        or (old.status = 'refunded' and new.status not in ('refunded', 'succeeded'))
        or (old.status = 'succeeded' and new.status not in ('succeeded', 'refunded')
          and not (new.status = 'canceled' and new.remittance_id is not null))
        or (old.status = 'refunded' and new.status = 'succeeded' and new.refunded_amount >= old.refunded_amount)
        or (${terms('old')}) is distinct from (${terms('new')}))
      execute function keep_payment()`);
  }
}
