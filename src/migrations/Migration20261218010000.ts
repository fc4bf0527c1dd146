import { Migration } from '@mikro-orm/migrations';

/** Subscriptions have an id of the caller, by which an import recognizes them. */
export class Migration20261218010000 extends Migration {
  override name = 'Migration20261218010000';

  override up(): void {
    this.addSql('alter table subscription add column external_id varchar(255)');
    this.addSql(
      `create unique index subscription_external_id_unique on subscription (pricing_model_id, external_id)
       where external_id is not null`,
    );
  }
}
