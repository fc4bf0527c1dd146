import { Migration } from '@mikro-orm/migrations';

/** The sandbox processor cancels charges that are under way. */
export class Migration20261122030000 extends Migration {
  override up() {
    this.addSql(
      `alter table "sandbox_charge" drop constraint "sandbox_charge_status_check", add constraint "sandbox_charge_status_check" check ("status" in ('succeeded', 'failed', 'canceled', 'processing', 'requires_action'))`,
    );
  }
}
