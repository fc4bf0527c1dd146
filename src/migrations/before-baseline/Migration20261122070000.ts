import { Migration } from '@mikro-orm/migrations';

/** Tables with a position of their own; those of the second kind have an index for the pages of a pricing model. */
const wholeTables = ['pricing_model', 'api_key', 'cron_run'];
const pagedTables = [
  'billing_period',
  'billing_run',
  'customer',
  'feature',
  'invoice',
  'ledger_transaction',
  'payment',
  'payment_method',
  'price',
  'product',
  'product_feature',
  'refund',
  'reservation',
  'resource',
  'subscription',
  'subscription_item',
  'subscription_item_feature',
  'test_clock',
  'usage_credit',
  'usage_meter',
  'usage_meter_balance',
  'webhook',
];

/** Indexes with what their rows belong to. */
const furtherPages = [
  ['ledger_transaction_balance', 'ledger_transaction', 'balance_id'],
  ['reservation_subscription', 'reservation', 'subscription_id'],
  ['resource_claim_subscription', 'resource_claim', 'subscription_id'],
  ['webhook_delivery_webhook_page', 'webhook_delivery', 'webhook_id'],
] as const;

/**
 * Rows of one instant are listed in the order in which they were written, by a position from a sequence of
 * their table. Existing rows have position 0, so no table is rewritten: they keep the order of their ids, and
 * cursors that clients have stay valid.
 */
export class Migration20261122070000 extends Migration {
  override up() {
    for (const table of [...wholeTables, ...pagedTables]) this.addPosition(table);
    // A delivery has the place of its event, in whatever order deliveries are written.
    this.addSql(`alter table "webhook_delivery" add "position" bigint generated always as ("sequence") stored`);
    for (const table of [...pagedTables, 'invoice_line_item', 'resource_claim', 'webhook_delivery']) {
      this.index(`${table}_page`, table, 'pricing_model_id');
    }
    for (const [name, table, owner] of furtherPages) this.index(name, table, owner);
    this.addSql(`drop index "cron_run_page"`);
    this.addSql(`create index "cron_run_page" on "cron_run" ("created_at", "position", "id")`);

    // The place of a line on its invoice becomes its place among all lines, which orders an invoice as well.
    this.addSql(`create sequence "invoice_line_item_position_seq" owned by "invoice_line_item"."position"`);
    this.addSql(
      `select setval('invoice_line_item_position_seq', (select coalesce(max(position), 0) + 1 from invoice_line_item))`,
    );
    this.addSql(`alter table "invoice_line_item" alter "position" type bigint,
      alter "position" set default nextval('invoice_line_item_position_seq')`);

    // The key of an event has its position, too, since it leads to the event. Both are given by the statement that
    // writes them; without it, as from a process of the version before, both are 0.
    this.addSql(`create sequence usage_event_position_seq`);
    for (const table of ['usage_event_key', 'usage_event']) {
      this.addSql(`alter table ${table} add position bigint not null default 0`);
    }
    this.addSql(`alter table usage_event drop constraint usage_event_pkey,
      add primary key (pricing_model_id, created_at, position, id, recorded_at)`);
  }

  private addPosition(table: string) {
    this.addSql(`alter table "${table}" add "position" bigint not null default 0`);
    this.addSql(`create sequence "${table}_position_seq" owned by "${table}"."position"`);
    this.addSql(
      `alter table "${table}" alter "position" set default nextval('${table}_position_seq')`,
    );
  }

  private index(name: string, table: string, owner: string) {
    this.addSql(`drop index "${name}"`);
    this.addSql(`create index "${name}" on "${table}" ("${owner}", "created_at", "position", "id")`);
  }
}
