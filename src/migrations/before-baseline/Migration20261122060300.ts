import { Migration } from '@mikro-orm/migrations';

/** Secrets are encrypted by the service, at its start; which keys are in use is known by their ids. */
export class Migration20261122060300 extends Migration {
  override up() {
    this.addSql(`create table "secrets_key" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "webhook" alter column "secret" type text, alter column "previous_secret" type text;`);
    this.addSql(`alter table "payment_method" alter column "token" type text;`);
    this.addSql(`alter table "organization_settings" alter column "document_secret" type text, alter column "document_secret" drop default, add "document_links_valid_from" timestamptz(3) null;`);
    this.addSql(`create index "webhook_previous_secret" on "webhook" ("previous_secret_until") where "previous_secret_until" is not null;`);
  }
}
