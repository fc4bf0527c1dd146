import { Migration } from '@mikro-orm/migrations';

/** The changes of deliveries since a time. */
export class Migration20261122190000 extends Migration {
  override name = 'Migration20261122190000';

  override up(): void {
    this.addSql(
      'create index webhook_delivery_changed on webhook_delivery (pricing_model_id, updated_at, id)',
    );
  }
}
