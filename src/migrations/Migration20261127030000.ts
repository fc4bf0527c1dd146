import { Migration } from '@mikro-orm/migrations';

/**
 * Totals have a digest of their events, so that billing does not read these. Existing totals have none: their events
 * are read when they are billed. Voided events are found by an index that ordinary events are not in.
 */
export class Migration20261127030000 extends Migration {
  override name = 'Migration20261127030000';

  override up(): void {
    this.addSql('alter table usage_total add column digest jsonb null');
    this.addSql(`create index usage_event_voided on usage_event
      (subscription_id, usage_meter_id, left_out_by, created_at, id) where (voided_at is not null)`);
  }
}
