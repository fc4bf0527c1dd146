import { Migration } from '@mikro-orm/migrations';

/** A service of the organization that computes taxes, and tax codes of usage prices. */
export class Migration20261228010000 extends Migration {
  override name = 'Migration20261228010000';

  override up(): void {
    this.addSql(`alter table "organization_settings" drop constraint "organization_settings_tax_engine_check"`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_tax_engine_check" check ("tax_engine" in ('rule', 'rates', 'service'))`);
    this.addSql(`alter table "organization_settings" add "tax_service_url" text null, add "tax_service_secret" text null`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_tax_service" check (tax_engine <> 'service' or (tax_service_url is not null and tax_service_secret is not null))`);
  }
}
