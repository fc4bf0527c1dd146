import { Migration } from '@mikro-orm/migrations';

/** Deliveries are announced once for each statement. */
export class Migration20261125060000 extends Migration {
  override name = 'Migration20261125060000';

  override up(): void {
    this.addSql('drop trigger announced_new on webhook_delivery');
    this.addSql('drop trigger announced_changed on webhook_delivery');
    this.addSql(`create trigger announced_new after insert on webhook_delivery referencing new table as added
      for each statement execute function announce_delivery()`);
    this.addSql(`create trigger announced_changed after update on webhook_delivery
      referencing old table as removed new table as added for each statement execute function announce_delivery()`);
  }
}
