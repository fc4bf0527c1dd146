import { Migration } from '@mikro-orm/migrations';

/**
 * What an event has to say of itself so that a correction leaves everything as if it had been right at once: since
 * when it counts in the place of another one. And that it was recorded when its subscription had ended, so that it is
 * told from what was used before the first billing period, which is billed.
 */
export class Migration20261121192000 extends Migration {
  override up() {
    this.addSql(`alter table usage_event add first_recorded_at timestamptz(3) null,
      add after_end boolean not null default false,
      add constraint usage_event_after_end check (not after_end or billing_period_id is null)`);
  }
}
