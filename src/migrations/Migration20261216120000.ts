import { Migration } from '@mikro-orm/migrations';

/** Watches name their organization, as all rows of organizations do. */
export class Migration20261216120000 extends Migration {
  override name = 'Migration20261216120000';

  override up(): void {
    this.addSql(`alter table usage_watch add column organization_id varchar(255)`);
    this.addSql(`update usage_watch w set organization_id = s.organization_id
      from subscription s where s.id = w.subscription_id`);
    this.addSql(`alter table usage_watch alter column organization_id set not null,
      drop constraint usage_watch_subscription_id_foreign,
      add constraint usage_watch_subscription_id_foreign foreign key (subscription_id, organization_id)
        references subscription (id, organization_id) on update cascade on delete cascade`);
  }
}
