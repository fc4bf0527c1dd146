import { Migration } from '@mikro-orm/migrations';

/** The deliveries of a webhook are deleted with it. */
export class Migration20261122140000 extends Migration {
  override name = 'Migration20261122140000';

  override up(): void {
    this.addSql(`alter table webhook_delivery drop constraint webhook_delivery_webhook_id_tenant`);
    this.addSql(`alter table webhook_delivery add constraint webhook_delivery_webhook_id_tenant
      foreign key (webhook_id, pricing_model_id) references webhook (id, pricing_model_id)
      on delete cascade not valid`);
    this.addSql(
      `alter table webhook_delivery validate constraint webhook_delivery_webhook_id_tenant`,
    );
  }
}
