import { Migration } from '@mikro-orm/migrations';
import { samePricingModel, tenantTable } from '#server/database/tenant-table.ts';

const methods = `('charge_automatically', 'send_invoice')`;
const externalMethods = `'bank_transfer', 'check', 'cash', 'card_elsewhere', 'other'`;

/** Payments by hand, and invoices that are sent with a due date instead of charged. */
export class Migration20261122230000 extends Migration {
  override name = 'Migration20261122230000';

  override up(): void {
    this.addRemittances();
    this.extendPayments();
    this.addCollectionMethods();
  }

  private addRemittances() {
    this.addSql(`create table remittance (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
      organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
      customer_id varchar(255) not null, status text not null, method text not null, amount bigint not null,
      currency varchar(3) not null, reference varchar(255), note text, attachment_url text,
      expected_at timestamptz(3), received_at timestamptz(3), recorded_by jsonb, reversed_at timestamptz(3),
      reason text,
      primary key (id),
      constraint remittance_tenant_unique unique (id, pricing_model_id),
      constraint remittance_range check (amount > 0),
      constraint remittance_received check ((status in ('received', 'reversed')) = (received_at is not null)),
      constraint remittance_reversed check ((status = 'reversed') = (reversed_at is not null)),
      constraint remittance_status_check check (status in ('expected', 'received', 'canceled', 'reversed')),
      constraint remittance_method_check check (method in (${externalMethods}))
    )`);
    this.addSql(`create unique index remittance_reference_unique on remittance (organization_id, livemode, reference)
      where reference is not null and status in ('expected', 'received')`);
    const page = 'created_at, position, id';
    this.addSql(`create index remittance_page on remittance (pricing_model_id, ${page})`);
    this.addSql(`create index remittance_customer on remittance (customer_id, ${page})`);
    this.addSql(`create index remittance_status on remittance (pricing_model_id, status, ${page})`);
    this.addSql(
      `create index remittance_amount on remittance (pricing_model_id, (coalesce(currency, '')), amount, position, id)`,
    );
    this.addSql(`alter table remittance add constraint remittance_customer_id_foreign
      foreign key (customer_id) references customer (id) on delete cascade`);
    this.addSql(samePricingModel('remittance', 'customer_id', 'customer'));
    for (const sql of tenantTable('remittance')) this.addSql(sql);
  }

  private extendPayments() {
    this.addSql(`alter table payment add column credited_amount bigint not null default '0',
      add column remittance_id varchar(255)`);
    this.addSql(`alter table payment drop constraint payment_payment_method_check,
      add constraint payment_payment_method_check
        check (payment_method in ('card', 'link', 'us_bank_account', 'sepa_debit', ${externalMethods})),
      add constraint payment_credited
        check (credited_amount >= 0 and refunded_amount + credited_amount <= amount),
      add constraint payment_external check (
        (remittance_id is null) = (payment_method in ('card', 'link', 'us_bank_account', 'sepa_debit'))
        and (remittance_id is null or (reversed_amount = 0 and status <> 'canceled')
          or (reversed_amount = amount and status = 'canceled'))),
      add constraint payment_remittance_id_foreign
        foreign key (remittance_id) references remittance (id) on delete cascade`);
    this.addSql(samePricingModel('payment', 'remittance_id', 'remittance'));
    this.addSql('create index payment_remittance on payment (remittance_id)');
    // A receipt that is reversed cancels its payments; no other payment leaves its final status.
    this.addSql('drop trigger payment_kept on payment');
    this.addSql(`create trigger payment_kept before update on payment for each row
      when ((old.status in ('failed', 'canceled') and new.status <> old.status)
        or (old.status = 'refunded' and new.status not in ('refunded', 'succeeded'))
        or (old.status = 'succeeded' and new.status not in ('succeeded', 'refunded')
          and not (new.status = 'canceled' and new.remittance_id is not null))
        or (old.status = 'refunded' and new.status = 'succeeded' and new.refunded_amount >= old.refunded_amount)
        or (old.amount, old.currency, old.invoice_id, old.idempotency_key, old.remittance_id)
          is distinct from (new.amount, new.currency, new.invoice_id, new.idempotency_key, new.remittance_id))
      execute function keep_payment()`);
    this.addSql('drop trigger owed_changed on payment');
    this.addSql(`create trigger owed_changed after update on payment for each row
      when ((old.status, old.refunded_amount, old.credited_amount, old.reversed_amount)
        is distinct from (new.status, new.refunded_amount, new.credited_amount, new.reversed_amount))
      execute function keep_amount_owed()`);
  }

  private addCollectionMethods() {
    const method = `add column collection_method text not null default 'charge_automatically'`;
    for (const table of ['customer', 'subscription', 'invoice']) {
      this.addSql(`alter table ${table} ${method}`);
      this.addSql(`alter table ${table} add constraint ${table}_collection_method_check
        check (collection_method in ${methods})`);
    }
    this.addSql(`alter table customer add column days_until_due int,
      add constraint customer_days_until_due check (days_until_due >= 0)`);
    this.addSql(`alter table subscription add column days_until_due int,
      add constraint subscription_days_until_due check (
        (collection_method = 'send_invoice') = (days_until_due is not null) and days_until_due >= 0)`);
    this.addSql(`alter table invoice add column sent_at timestamptz(3), add column overdue_at timestamptz(3),
      add column reminder_count int not null default 0, add column follow_up_due_at timestamptz(3),
      add column test_clock_id varchar(255)`);
    this.addSql(`create index invoice_follow_up on invoice (test_clock_id, follow_up_due_at, id)
      where follow_up_due_at is not null and status = 'open'`);
  }
}
