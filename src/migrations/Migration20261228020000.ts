import { Migration } from '@mikro-orm/migrations';

/** Tax codes of usage. */
export class Migration20261228020000 extends Migration {
  override name = 'Migration20261228020000';

  override up(): void {
    this.addSql(`alter table "usage_meter" add "tax_code" varchar(255) null`);
  }
}
