import { Migration } from '@mikro-orm/migrations';

/** The changes of deliveries since a time, and the audit log of an actor. */
export class Migration20261122190000 extends Migration {
  override name = 'Migration20261122190000';

  override up(): void {
    this.addSql(
      'create index webhook_delivery_changed on webhook_delivery (pricing_model_id, updated_at, id)',
    );
    this.addSql(`create index event_actor on event (pricing_model_id, actor_id, sequence)
      where (sequence is not null)`);
  }
}
