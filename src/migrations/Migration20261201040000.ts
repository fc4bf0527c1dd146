import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from '#server/database/tenant-table.ts';

/** The number of parts of the inbox, each a table of its own. */
const slots = 8;

/** Usage can be accepted before it is counted: the inbox, the leases of its writers, and what they refuse. */
export class Migration20261201040000 extends Migration {
  override name = 'Migration20261201040000';

  override up(): void {
    this.addSql(
      `create table usage_event_inbox (
         slot smallint not null,
         pricing_model_id text collate "C" not null,
         position text collate "C" not null,
         organization_id text not null,
         livemode boolean not null,
         accepted_at timestamptz(3) not null,
         owners int[] not null,
         count int not null check (count > 0),
         origin text not null,
         events text not null,
         primary key (pricing_model_id, position, slot)
       ) partition by list (slot)`,
    );
    for (let slot = 0; slot < slots; slot++) {
      // The texts live for seconds: compressing them costs more than it saves. Statistics of so short a life mislead.
      this.addSql(
        `create table usage_event_inbox_${slot} partition of usage_event_inbox for values in (${slot})
           with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
             autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 2000000000)`,
      );
      this.addSql(
        `alter table usage_event_inbox_${slot} alter column events set storage external, alter column origin set storage external`,
      );
    }
    this.addSql(
      `create table "usage_refusal" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "acceptance_id" varchar(255) not null, "accepted_at" timestamptz(3) not null, "count" int not null, "events" jsonb not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "usage_refusal_page" on "usage_refusal" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "usage_refusal_acceptance" on "usage_refusal" ("pricing_model_id", "acceptance_id")`,
    );
    this.addSql(
      `alter table "usage_refusal" add constraint "usage_refusal_count" check (count > 0)`,
    );
    for (const sql of tenantTable('usage_refusal')) this.addSql(sql);
    this.addSql(
      `create table usage_event_inbox_lease (
         pricing_model_id text not null, slot smallint not null, holder text not null, until timestamptz not null,
         primary key (pricing_model_id, slot))`,
    );
  }
}
