import { Migration } from '@mikro-orm/migrations';
import { samePricingModel, tenantTable } from '#server/database/tenant-table.ts';

const tenantColumns = `id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null`;

/**
 * Credit notes and books. Refunds and write-offs of earlier versions get no document: a document of today would state
 * a tax period of long ago. They are marked, and the books count them as if they had one. Credit that an earlier
 * version put on a balance names no invoice; its sum is the opening of the customer's books.
 */
export class Migration20261123000000 extends Migration {
  override name = 'Migration20261123000000';

  override up(): void {
    this.#extendTables();
    this.#createCreditNotes();
    this.#createBooks();
    this.#createTriggers();
    this.#openBooks();
  }

  #extendTables() {
    this.addSql('alter table customer add column credit_note_count int not null default 0');
    this.addSql(`alter table invoice add column amount_credited bigint not null default '0',
      add column tax_credited bigint not null default '0', add column amount_waived bigint not null default '0',
      add column is_undocumented boolean not null default false`);
    this.addSql(`alter table invoice add constraint invoice_credited
      check (amount_credited >= 0 and amount_credited <= total and tax_credited >= 0 and tax_credited <= tax_amount
        and amount_waived >= 0 and amount_waived <= amount_credited)`);
    this.addSql(`update invoice set is_undocumented = true where status = 'uncollectible'`);
    this.addSql(`alter table refund add column credit_note_id varchar(255),
      add column from_balance bigint not null default '0',
      add column is_undocumented boolean not null default false`);
    this.addSql('update refund set is_undocumented = true');
    // The next statements change tables whose checks are deferred to the end of the transaction.
    this.addSql('set constraints all immediate');
  }

  #createCreditNotes() {
    this.addSql(`create table credit_note (
      ${tenantColumns}, invoice_id varchar(255) not null, customer_id varchar(255) not null,
      credit_note_number varchar(255) not null, issued_at timestamptz(3) not null, status text not null,
      settlement text not null, reason text not null, description text, currency varchar(3) not null,
      subtotal bigint not null, tax_amount bigint not null, tax_inclusive boolean not null, total bigint not null,
      tax_type text, tax_country varchar(2), tax_state varchar(255), tax_rate_percentage varchar(255),
      refunded_amount bigint not null default '0', credited_amount bigint not null default '0',
      written_off_amount bigint not null default '0', set_off_amount bigint not null default '0',
      set_off_invoice_id varchar(255),
      primary key (id)
    )`);
    this.addSql(`create table credit_note_line (
      id varchar(255) not null, credit_note_id varchar(255) not null, position int not null,
      invoice_line_item_id varchar(255), description text not null, quantity numeric, amount bigint not null,
      tax_amount bigint not null,
      primary key (id)
    )`);
    for (const [table, column, parent] of [
      ['credit_note', 'invoice_id', 'invoice'],
      ['credit_note', 'customer_id', 'customer'],
      ['credit_note_line', 'credit_note_id', 'credit_note'],
      ['credit_note_line', 'invoice_line_item_id', 'invoice_line_item'],
      ['refund', 'credit_note_id', 'credit_note'],
    ] as const) {
      this.addSql(`alter table ${table} add constraint ${table}_${column}_foreign
        foreign key (${column}) references ${parent} (id) on delete cascade`);
    }
    for (const sql of tenantTable('credit_note')) this.addSql(sql);
    this.addSql(`alter table credit_note add constraint credit_note_id_tenant unique (id, pricing_model_id)`);
    this.addSql(samePricingModel('credit_note', 'invoice_id', 'invoice'));
    this.addSql(`alter table credit_note add constraint credit_note_invoice_currency
      foreign key (invoice_id, currency) references invoice (id, currency) deferrable initially deferred`);
    this.addSql(samePricingModel('credit_note', 'customer_id', 'customer'));
    this.addSql(`alter table credit_note
      add constraint credit_note_status_check check (status in ('pending', 'settled', 'failed')),
      add constraint credit_note_settlement_check check (settlement in ('refund', 'credit', 'write_off', 'set_off')),
      add constraint credit_note_reason_check check (reason in ('duplicate', 'fraudulent', 'order_change',
        'product_unsatisfactory', 'requested_by_customer', 'uncollectible', 'other', 'refund', 'usage_corrected',
        'plan_changed', 'period_cut_short', 'dispute_lost')),
      add constraint credit_note_tax_type_check check (tax_type in ('amusement_tax', 'communications_tax', 'gst',
        'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none')),
      add constraint credit_note_amounts check (total > 0 and subtotal >= 0 and tax_amount >= 0
        and total = subtotal + case when tax_inclusive then 0 else tax_amount end),
      add constraint credit_note_settled check (refunded_amount >= 0 and credited_amount >= 0
        and written_off_amount >= 0 and set_off_amount >= 0
        and case status
          when 'settled' then refunded_amount + credited_amount + written_off_amount + set_off_amount = total
          when 'failed' then refunded_amount + credited_amount + written_off_amount + set_off_amount = 0
          else refunded_amount + credited_amount + written_off_amount + set_off_amount < total end)`);
    this.addSql(`alter table credit_note add constraint credit_note_number_unique
      unique (customer_id, credit_note_number)`);
    for (const [name, columns] of [
      ['credit_note_page', 'pricing_model_id, created_at, position, id'],
      ['credit_note_invoice', 'invoice_id, created_at, position, id'],
      ['credit_note_customer', 'customer_id, created_at, position, id'],
      ['credit_note_date', 'pricing_model_id, issued_at, position, id'],
      ['credit_note_total', `pricing_model_id, (coalesce(currency, '')), total, position, id`],
      ['credit_note_set_off', 'set_off_invoice_id'],
      ['credit_note_number', 'pricing_model_id, (lower(credit_note_number)), position, id'],
    ]) {
      this.addSql(`create index ${name} on credit_note (${columns})`);
    }
    this.addSql(`create index credit_note_search on credit_note
      using gin (search_grams(pricing_model_id, lower(credit_note_number))) with (gin_pending_list_limit = 512)`);
    this.addSql('create index credit_note_line_note on credit_note_line (credit_note_id, position)');
    this.addSql('create index credit_note_line_item on credit_note_line (invoice_line_item_id)');
    this.addSql('create index refund_credit_note on refund (credit_note_id)');
    this.addSql(`alter table refund drop constraint refund_range,
      add constraint refund_range check (amount > 0 and from_balance >= 0 and from_balance <= amount),
      add constraint refund_documented
        check ((credit_note_id is not null) = (from_balance < amount and not is_undocumented))`);
  }

  #createBooks() {
    this.addSql(`create table book_opening (
      customer_id varchar(255) not null, currency varchar(3) not null, amount bigint not null,
      primary key (customer_id, currency)
    )`);
    this.addSql(`alter table book_opening add constraint book_opening_customer_id_foreign
      foreign key (customer_id) references customer (id) on delete cascade`);
    this.addSql(`create table book_difference (
      ${tenantColumns}, customer_id varchar(255) not null, currency varchar(3) not null, difference bigint not null,
      resolved_at timestamptz(3),
      primary key (id)
    )`);
    this.addSql(`alter table book_difference add constraint book_difference_customer_id_foreign
      foreign key (customer_id) references customer (id) on delete cascade`);
    for (const sql of tenantTable('book_difference')) this.addSql(sql);
    this.addSql(samePricingModel('book_difference', 'customer_id', 'customer'));
    this.addSql(`create unique index book_difference_open_unique on book_difference (customer_id, currency)
      where resolved_at is null`);
    this.addSql(`create index book_difference_page on book_difference
      (pricing_model_id, created_at, position, id)`);
  }

  /** Their functions have files, and are empty until then. */
  #createTriggers() {
    for (const name of ['keep_credit_note', 'check_credited']) {
      this.addSql(`create function ${name}() returns trigger language plpgsql as 'begin return null; end'`);
    }
    const kept = [
      'invoice_id',
      'customer_id',
      'credit_note_number',
      'issued_at',
      'settlement',
      'reason',
      'description',
      'currency',
      'subtotal',
      'tax_amount',
      'tax_inclusive',
      'total',
      'tax_type',
      'tax_country',
      'tax_state',
      'tax_rate_percentage',
      'set_off_invoice_id',
      'created_at',
    ];
    const of = (row: string) => kept.map((column) => `${row}.${column}`).join(', ');
    this.addSql(`create trigger credit_note_kept before update on credit_note for each row
      when ((${of('old')}) is distinct from (${of('new')})
        or old.status <> 'pending' and (new.status <> old.status or new.refunded_amount <> old.refunded_amount
          or new.written_off_amount <> old.written_off_amount)
        or new.refunded_amount < old.refunded_amount or new.credited_amount < old.credited_amount
        or new.written_off_amount < old.written_off_amount or new.set_off_amount > old.set_off_amount)
      execute function keep_credit_note()`);
    this.addSql(`create trigger credit_note_line_kept before update on credit_note_line for each row
      execute function keep_credit_note()`);
    // The deletion of a test clock's customer deletes its documents, through the foreign keys.
    for (const table of ['credit_note', 'credit_note_line']) {
      this.addSql(`create trigger ${table}_stays before delete on ${table} for each row
        when (pg_trigger_depth() = 0) execute function keep_credit_note()`);
    }
    this.addSql(`create constraint trigger credited_added after insert on credit_note
      deferrable initially deferred for each row execute function check_credited()`);
    this.addSql(`create constraint trigger credited_changed after update on credit_note
      deferrable initially deferred for each row execute function check_credited()`);
    this.addSql(`create constraint trigger credited_changed after update on invoice
      deferrable initially deferred for each row
      when ((old.amount_credited, old.tax_credited, old.amount_waived)
        is distinct from (new.amount_credited, new.tax_credited, new.amount_waived))
      execute function check_credited()`);
    const payable = `('open', 'awaiting_payment_confirmation')`;
    this.addSql('drop trigger owed_changed on invoice');
    this.addSql(`create trigger owed_changed after update on invoice for each row
      when ((old.status in ${payable} or new.status in ${payable})
        and (old.status, old.total, old.credit_applied, old.amount_waived, old.customer_id)
          is distinct from (new.status, new.total, new.credit_applied, new.amount_waived, new.customer_id))
      execute function keep_amount_owed()`);
  }

  #openBooks() {
    this.addSql(`insert into book_opening (customer_id, currency, amount)
      with received as (
        select invoice_id, sum(amount) as amount, sum(refunded_amount) as refunded
        from payment where status in ('succeeded', 'refunded') group by 1),
      entry (customer_id, currency, amount) as (
        select i.customer_id, i.currency,
          case when i.status in ('draft', 'void') then 0 else i.total end
          - case when i.status = 'uncollectible' then i.total - i.credit_applied else 0 end
          - coalesce(r.amount, 0) + coalesce(r.refunded, 0)
          - case when i.status in ('open', 'awaiting_payment_confirmation')
              then i.total - i.credit_applied - coalesce(r.amount - r.refunded, 0) else 0 end
        from invoice i left join received r on r.invoice_id = i.id
        union all
        select f.customer_id, p.currency, -f.amount from refund f join payment p on p.id = f.payment_id
        where f.status = 'succeeded'
        union all
        select c.id, coalesce(last.currency, o.currency), c.credit_balance
        from customer c join organization o on o.id = c.organization_id
        left join lateral (
          select i.currency from invoice i where i.customer_id = c.id order by i.created_at desc limit 1) last on true
        where c.credit_balance <> 0)
      select customer_id, currency, sum(amount) from entry group by 1, 2 having sum(amount) <> 0`);
  }
}
