import { Migration } from '@mikro-orm/migrations';

/** Commitments of subscriptions, kept by billing periods, and reckoned by lines of invoices. */
export class Migration20261222010000 extends Migration {
  override name = 'Migration20261222010000';

  override up(): void {
    this.addSql(
      `alter table "subscription" add "commitment" jsonb null, add "committed" boolean not null default false`,
    );
    this.addSql(
      `alter table "subscription" add constraint "subscription_committed" check (commitment is null or committed and renews and not is_free_plan and not do_not_charge)`,
    );
    this.addSql(`alter table "billing_period" add "commitment" jsonb null`);
    this.addSql(
      `alter table "invoice_line_item" add "committed_period_id" varchar(255) null, add "commitment" jsonb null, add "undone_line_item_id" varchar(255) null`,
    );
    this.addSql(`alter table "invoice_line_item" drop constraint invoice_line_item_type_check`);
    this.addSql(
      `alter table "invoice_line_item" add constraint "invoice_line_item_type_check" check ("type" in ('static', 'usage', 'discount', 'commitment'))`,
    );
    this.addSql(
      `alter table "invoice_line_item" add constraint "invoice_line_item_commitment" check ((type = 'commitment') = (committed_period_id is not null)
        and (type = 'commitment') = (commitment is not null) and (undone_line_item_id is null or type = 'commitment' and amount < 0))`,
    );
    this.addSql(
      `create index "invoice_line_item_committed" on "invoice_line_item" ("committed_period_id") where "committed_period_id" is not null`,
    );
    this.addSql(
      `create index "invoice_line_item_undone" on "invoice_line_item" ("undone_line_item_id") where "undone_line_item_id" is not null`,
    );
  }
}
