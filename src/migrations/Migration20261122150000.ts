import { Migration } from '@mikro-orm/migrations';
import { samePricingModel, tenantTable } from '#server/database/tenant-table.ts';

/** Customer tokens, the scopes of secret keys and the allowed origins of credentials. */
export class Migration20261122150000 extends Migration {
  override name = 'Migration20261122150000';

  override up(): void {
    this.addSql('alter table api_key add column scopes jsonb, add column allowed_origins jsonb');
    this.addSql(`alter table api_key
      add constraint api_key_scopes check (scopes is null or type = 'secret'),
      add constraint api_key_origins check (allowed_origins is null or type = 'publishable')`);
    this.addSql(`alter table organization_settings add column allowed_origins jsonb not null default '[]'`);
    this.addSql(`create table customer_token (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
      organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
      customer_id varchar(255) not null, api_key_id varchar(255), scopes jsonb not null, allowed_origins jsonb,
      expires_at timestamptz(3) not null, revoked_at timestamptz(3),
      primary key (id),
      constraint customer_token_life check (expires_at > created_at)
    )`);
    this.addSql(`alter table customer_token add constraint customer_token_customer_id_foreign
      foreign key (customer_id) references customer (id) on delete cascade`);
    this.addSql(samePricingModel('customer_token', 'customer_id', 'customer'));
    for (const sql of tenantTable('customer_token')) this.addSql(sql);
    this.addSql(
      'create index customer_token_page on customer_token (pricing_model_id, created_at, position, id)',
    );
    this.addSql('create index customer_token_customer on customer_token (customer_id, expires_at)');
    this.addSql('create index customer_token_key on customer_token (api_key_id, expires_at)');
    this.addSql('create index customer_token_age on customer_token (expires_at)');
  }
}
