import { Migration } from '@mikro-orm/migrations';

/** References between prepaid credits and what buys them, and the differences of their sums in the books. */
export class Migration20270102010000 extends Migration {
  override name = 'Migration20270102010000';

  override up(): void {
    this.addSql(`alter table prepaid_credit
      add constraint prepaid_credit_tenant_unique unique (id, pricing_model_id)`);
    // An invoice is written before the credit that it buys, which names it, too.
    this.addSql(`alter table invoice add constraint invoice_prepaid_credit_tenant
      foreign key (prepaid_credit_id, pricing_model_id) references prepaid_credit (id, pricing_model_id)
      on delete cascade deferrable initially deferred`);
    this.addSql(`alter table prepaid_top_up add constraint prepaid_top_up_pending_tenant
      foreign key (pending_credit_id, pricing_model_id) references prepaid_credit (id, pricing_model_id)
      on delete set null (pending_credit_id) deferrable initially deferred`);
    this.addSql(
      `alter table "book_difference" add "prepaid_difference" bigint not null default '0'`,
    );
  }
}
