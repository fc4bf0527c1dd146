import { Migration } from '@mikro-orm/migrations';

/** Functions are applied from their files from here on. Those without a file are dropped. */
export class Migration20261122095900 extends Migration {
  override name = 'Migration20261122095900';

  override up(): void {
    this.addSql(`create table sql_function (
      name text primary key, signature text not null, digest text not null, applied_at timestamptz(3) not null default now()
    )`);
    this.addSql('drop function hold_subscription, resource_standing, tell_resource_claims');
    this.addSql('drop procedure keep_tenant, same_pricing_model');
  }
}
