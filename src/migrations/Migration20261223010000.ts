import { Migration } from '@mikro-orm/migrations';

/** Usage that a stream accepted for an organization that has moved waits until its cell has it. */
export class Migration20261223010000 extends Migration {
  override name = 'Migration20261223010000';

  override up(): void {
    this.addSql(
      `create table usage_forward (
         position text collate "C" not null,
         pricing_model_id text collate "C" not null,
         organization_id text not null,
         livemode boolean not null,
         accepted_at timestamptz(3) not null,
         origin text not null,
         events jsonb not null,
         primary key (pricing_model_id, position))`,
    );
  }
}
