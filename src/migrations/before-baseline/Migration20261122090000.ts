import { Migration } from '@mikro-orm/migrations';

/** The settings of an organization have the position that every record of a tenant has. */
export class Migration20261122090000 extends Migration {
  override name = 'Migration20261122090000';

  override up(): void {
    this.addSql('alter table "organization_settings" add "position" bigserial');
  }

  override down(): void {
    this.addSql('alter table "organization_settings" drop column "position"');
  }
}
