import { Migration } from '@mikro-orm/migrations';

/** Alert rules count the customers to whom their terms could not be applied. */
export class Migration20270105010000 extends Migration {
  override name = 'Migration20270105010000';

  override up(): void {
    this.addSql(`alter table "alert_rule" add "failed_customers" int not null default 0`);
  }
}
