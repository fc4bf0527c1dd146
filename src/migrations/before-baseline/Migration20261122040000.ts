import { Migration } from '@mikro-orm/migrations';

/** Corrections of billed usage name the line that they undo, and say whether it was worth anything. */
export class Migration20261122040000 extends Migration {
  override up() {
    this.addSql(`alter table "owed_usage" add "undone_line_item_id" varchar(255) null, add "is_lost" boolean not null default false;`);
    this.addSql(`create index "owed_usage_undone_line_item_id_index" on "owed_usage" ("undone_line_item_id");`);
    this.addSql(`alter table "owed_usage" add constraint "owed_usage_undone_line_item_id_foreign" foreign key ("undone_line_item_id") references "invoice_line_item" ("id") on delete no action;`);
  }
}
