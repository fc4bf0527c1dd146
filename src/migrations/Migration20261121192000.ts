import { Migration } from '@mikro-orm/migrations';

/**
 * What an event has to say of itself so that a correction leaves everything as if it had been right at once: since
 * when it counts in the place of another one.
 */
export class Migration20261121192000 extends Migration {
  override up() {
    this.addSql(`alter table usage_event add first_recorded_at timestamptz(3) null`);
  }
}
