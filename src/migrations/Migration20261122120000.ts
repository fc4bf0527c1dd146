import { Migration } from '@mikro-orm/migrations';

/** The sort columns that tables show, each by tenant, with the place of rows of equal value. */
const orders = {
  customer_name: ['customer', 'lower(name)'],
  customer_email: ['customer', 'lower(email)'],
  customer_owed: ['customer', 'amount_owed'],
  subscription_period_end: [
    'subscription',
    `coalesce(current_billing_period_end, 'infinity'::timestamptz)`,
  ],
  invoice_date: ['invoice', 'invoice_date'],
  invoice_due_date: ['invoice', `coalesce(due_date, 'infinity'::timestamptz)`],
  invoice_total: ['invoice', 'total'],
  invoice_number: ['invoice', 'lower(invoice_number)'],
  payment_charge_date: ['payment', 'charge_date'],
  payment_amount: ['payment', 'amount'],
  refund_amount: ['refund', 'amount'],
  usage_credit_expiry: ['usage_credit', `coalesce(expires_at, 'infinity'::timestamptz)`],
  billing_period_end: ['billing_period', 'end_date'],
  billing_run_scheduled: ['billing_run', 'scheduled_for'],
} as const;

/** Tables whose rows are often listed by status. */
const listedByStatus = ['subscription', 'invoice', 'payment'] as const;

/** Indexes for the orders, conditions and searches of lists, and the amount that each customer owes. */
export class Migration20261122120000 extends Migration {
  override name = 'Migration20261122120000';

  override up(): void {
    this.#addAmountOwed();
    for (const [name, [table, column]] of Object.entries(orders)) {
      this.addSql(`create index ${name} on ${table} (pricing_model_id, (${column}), position, id)`);
    }
    for (const table of listedByStatus) {
      this.addSql(
        `create index ${table}_status on ${table} (pricing_model_id, status, created_at, position, id)`,
      );
    }
    this.addSql(`create index subscription_metadata on subscription using gin (metadata jsonb_path_ops)`);
    this.#addSearch();
  }

  /** Triggers keep it; their function has a file, and is empty until then. */
  #addAmountOwed() {
    const payable = `('open', 'awaiting_payment_confirmation')`;
    this.addSql(`alter table customer add column amount_owed bigint not null default '0'`);
    this.addSql(`update customer set amount_owed = owed.amount from (
        select customer_id, sum(total - credit_applied - coalesce((
          select sum(amount - refunded_amount) from payment
          where invoice_id = invoice.id and payment.status in ('succeeded', 'refunded')), 0)) as amount
        from invoice where status in ${payable} group by 1) owed
      where owed.customer_id = customer.id and owed.amount <> 0`);
    this.addSql(
      `create function keep_amount_owed() returns trigger language plpgsql as 'begin return null; end'`,
    );
    this.addSql(`create trigger owed_added after insert on invoice for each row
      when (new.status in ${payable}) execute function keep_amount_owed()`);
    this.addSql(`create trigger owed_changed after update on invoice for each row
      when ((old.status in ${payable} or new.status in ${payable})
        and (old.status, old.total, old.credit_applied, old.customer_id)
          is distinct from (new.status, new.total, new.credit_applied, new.customer_id))
      execute function keep_amount_owed()`);
    this.addSql(`create trigger owed_removed after delete on invoice for each row
      when (old.status in ${payable}) execute function keep_amount_owed()`);
    this.addSql(`create trigger owed_added after insert on payment for each row
      when (new.status in ('succeeded', 'refunded')) execute function keep_amount_owed()`);
    this.addSql(`create trigger owed_changed after update on payment for each row
      when (old.status <> new.status or old.refunded_amount <> new.refunded_amount)
      execute function keep_amount_owed()`);
    this.addSql(`create trigger owed_removed after delete on payment for each row
      when (old.status in ('succeeded', 'refunded')) execute function keep_amount_owed()`);
  }

  /**
   * An index of every 3 characters that follow each other, with the end of the pricing model's id in front, so that a
   * search reads its own tenant. The function belongs to the indexes: another definition needs other indexes.
   */
  #addSearch() {
    this.addSql(`create function search_grams(tenant text, content text) returns tsvector
      language plpgsql immutable parallel safe cost 100 as $$ begin
        return array_to_tsvector(string_to_array(
    right(tenant, 6) || regexp_replace(translate(content, E'\\x01', ' '), '(...)', E'\\\\1\\x01' || right(tenant, 6), 'g') || E'\\x01' ||
    right(tenant, 6) || regexp_replace(substr(translate(content, E'\\x01', ' '), 2), '(...)', E'\\\\1\\x01' || right(tenant, 6), 'g') || E'\\x01' ||
    right(tenant, 6) || regexp_replace(substr(translate(content, E'\\x01', ' '), 3), '(...)', E'\\\\1\\x01' || right(tenant, 6), 'g'), E'\\x01'));
      end $$`);
    this.addSql(`create index customer_search on customer using gin (search_grams(pricing_model_id,
      lower(name || E'\\n' || email || E'\\n' || coalesce(domain, '') || E'\\n' || external_id)))
      with (gin_pending_list_limit = 512)`);
    this.addSql(`create index invoice_search on invoice using gin (search_grams(pricing_model_id, lower(invoice_number)))
      with (gin_pending_list_limit = 512)`);
  }
}
