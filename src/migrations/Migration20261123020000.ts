import { Migration } from '@mikro-orm/migrations';

const functions = {
  keep_remittance: 'return new',
  keep_dispute: 'return new',
  check_remittance: 'return null',
  check_credit_note: 'return null',
};

const received = `('received', 'reversed')`;
const final = `('inquiry_closed', 'won', 'lost', 'prevented')`;

/** Constraints for what credit notes, payments by hand and disputes promise. */
export class Migration20261123020000 extends Migration {
  override name = 'Migration20261123020000';

  override up(): void {
    // The functions have files, and are empty until then.
    for (const [name, body] of Object.entries(functions)) {
      this.addSql(
        `create function ${name}() returns trigger language plpgsql as 'begin ${body}; end'`,
      );
    }
    this.#coverRefunds();
    this.#keepRemittances();
    this.#keepDisputes();
    this.#checkCreditNotes();
  }

  /** Waives on its invoice the part that the balance has paid for refunds of amounts that credit notes had returned. */
  #coverRefunds() {
    this.addSql(`alter table refund add column retracted_amount bigint not null default '0'`);
    // Without a credit note the balance can only have had what was beyond the invoice.
    this.addSql(`update refund set retracted_amount = from_balance from payment
      where payment.id = payment_id and from_balance > 0 and not exists (
        select from credit_note where invoice_id = payment.invoice_id and credited_amount + set_off_amount > 0)`);
    this.addSql(`alter table refund drop constraint refund_range,
      add constraint refund_range check (amount > 0 and from_balance >= 0 and from_balance <= amount
          and retracted_amount >= 0 and retracted_amount <= from_balance)`);
    // The function of the version before would refuse it; the present one is applied from its file.
    this.addSql(`create or replace function check_credited() returns trigger language plpgsql as
      'begin return null; end'`);
    this.addSql(`update invoice set amount_waived = least(total - credit_applied - money.net, amount_credited)
      from (select invoice_id, sum(amount - refunded_amount - reversed_amount - credited_amount) as net from payment
        where status in ('succeeded', 'refunded') group by 1) money
      where money.invoice_id = invoice.id and not is_undocumented
        and status in ('paid', 'partially_refunded', 'refunded', 'uncollectible')
        and amount_waived < least(total - credit_applied - money.net, amount_credited)
        and not exists (select from refund join payment on payment.id = payment_id
          where payment.invoice_id = invoice.id and refund.is_undocumented)`);
    // The next statements change tables whose checks are deferred to the end of the transaction.
    this.addSql('set constraints all immediate');
    this.addSql(`alter table invoice drop constraint invoice_credit, add constraint invoice_credit
      check (credit_applied >= 0 and credit_applied + amount_waived <= total)`);
    this.addSql(`alter table payment drop constraint payment_credited, add constraint payment_credited
      check (credited_amount >= 0 and refunded_amount + credited_amount + reversed_amount <= amount)`);
  }

  #keepRemittances() {
    for (const [name, column] of [
      ['currency', 'currency'],
      ['owner', 'customer_id'],
    ]) {
      this.addSql(`alter table remittance add constraint remittance_${name}_unique unique (id, ${column})`);
      this.addSql(`alter table payment add constraint payment_remittance_${name}
        foreign key (remittance_id, ${column}) references remittance (id, ${column})
        on delete cascade deferrable initially deferred`);
    }
    const terms = (row: string) =>
      ['amount', 'method', 'reference', 'received_at', 'recorded_by'].map((of) => `${row}.${of}`).join(', ');
    this.addSql(`create trigger remittance_kept before update on remittance for each row
      when ((old.currency, old.customer_id) is distinct from (new.currency, new.customer_id)
        or old.status <> 'expected' and (${terms('old')}) is distinct from (${terms('new')})
        or old.status in ('canceled', 'reversed') and new.status <> old.status
        or old.status = 'expected' and new.status = 'reversed'
        or old.status = 'received' and new.status not in ${received})
      execute function keep_remittance()`);
    // The deletion of a test clock's customer deletes its receipts, through the foreign keys.
    this.addSql(`create trigger remittance_stays before delete on remittance for each row
      when (pg_trigger_depth() = 0 and old.status in ${received}) execute function keep_remittance()`);
    this.addSql(`create constraint trigger remittance_added after insert on remittance
      deferrable initially deferred for each row when (new.status in ${received})
      execute function check_remittance()`);
    this.addSql(`create constraint trigger remittance_changed after update on remittance
      deferrable initially deferred for each row when (old.status <> new.status)
      execute function check_remittance()`);
    this.addSql(`create constraint trigger remittance_paid after insert on payment
      deferrable initially deferred for each row when (new.remittance_id is not null)
      execute function check_remittance()`);
  }

  #keepDisputes() {
    this.addSql(`update dispute set closed_at = null where status not in ${final}`);
    this.addSql(`alter table dispute add constraint dispute_closed
      check ((closed_at is not null) = (status in ${final}))`);
    this.addSql(`alter table dispute add constraint dispute_payment_currency
      foreign key (payment_id, currency) references payment (id, currency) on delete cascade`);
    this.addSql(`create trigger dispute_kept before update on dispute for each row
      when ((old.payment_id, old.customer_id, old.currency, old.processor_reference)
          is distinct from (new.payment_id, new.customer_id, new.currency, new.processor_reference)
        or old.status in ('won', 'lost', 'prevented') and new.status not in ('won', 'lost', 'prevented')
        or old.status in ('opened', 'under_review') and new.status = 'inquiry'
        or old.status = 'under_review' and new.status = 'opened')
      execute function keep_dispute()`);
  }

  #checkCreditNotes() {
    this.addSql('alter table invoice add constraint invoice_owner_unique unique (id, customer_id)');
    this.addSql(`alter table credit_note add constraint credit_note_invoice_owner
      foreign key (invoice_id, customer_id) references invoice (id, customer_id) on delete cascade`);
    this.addSql(`alter table credit_note add constraint credit_note_set_off_named
      check (set_off_amount = 0 or set_off_invoice_id is not null)`);
    this.addSql(`create constraint trigger lines_checked after insert on credit_note
      deferrable initially deferred for each row execute function check_credit_note()`);
  }
}
