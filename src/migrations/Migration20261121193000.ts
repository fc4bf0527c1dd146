import { Migration } from '@mikro-orm/migrations';

/** Usage lines may give back, and keep what they are made of; events say which line was the first without them. */
export class Migration20261121193000 extends Migration {
  override up() {
    this.addSql(`alter table "invoice_line_item" drop constraint "invoice_line_item_range";`);
    this.addSql(`alter table "invoice_line_item" add "usage_breakdown" jsonb null;`);
    this.addSql(`alter table "invoice_line_item" add constraint "invoice_line_item_range" check (price >= 0 and (quantity >= 0 and amount >= 0
        or type = 'usage' and quantity <= 0 and amount <= 0 and usage_quantity < 0));`);
    this.addSql(`alter table usage_event add left_out_by text`);
  }
}
