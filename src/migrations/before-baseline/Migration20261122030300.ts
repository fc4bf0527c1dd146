import { Migration } from '@mikro-orm/migrations';

/** A payment that is under way has an instant at which it is looked up next. */
export class Migration20261122030300 extends Migration {
  override up() {
    this.addSql(`update "payment" set check_due_at = now() where status in ('processing', 'requires_confirmation', 'requires_action') and check_due_at is null;`);
    this.addSql(`alter table "payment" add constraint "payment_pending_due" check (check_due_at is not null or status in ('canceled', 'failed', 'refunded', 'succeeded'));`);
  }
}
