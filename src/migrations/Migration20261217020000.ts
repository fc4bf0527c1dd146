import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Subscribers of a price are moved to another one by a job. */
export class Migration20261217020000 extends Migration {
  override name = 'Migration20261217020000';

  override up(): void {
    this.addSql(
      `create table "price_move" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "from_price_id" varchar(255) not null, "to_price_id" varchar(255) not null, "timing" text not null, "prorate" boolean not null, "keep_negotiated_prices" boolean not null, "status" text not null default 'running', "subscription_count" int not null, "moved_count" int not null default 0, "failed_count" int not null default 0, "failures" jsonb not null default '[]', "progressed_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "cursor" varchar(255) null, "moving_id" varchar(255) null, "lease_holder" varchar(255) null, "lease_until" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "price_move_to_price_id_index" on "price_move" ("to_price_id")`,
    );
    this.addSql(
      `create index "price_move_page" on "price_move" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create unique index "price_move_running_unique" on "price_move" ("from_price_id") where "status" = 'running'`,
    );

    this.addSql(
      `alter table "price_move" add constraint "price_move_from_price_id_foreign" foreign key ("from_price_id") references "price" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "price_move" add constraint "price_move_to_price_id_foreign" foreign key ("to_price_id") references "price" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "price_move" add constraint "price_move_prices" check (from_price_id <> to_price_id)`,
    );
    this.addSql(
      `alter table "price_move" add constraint "price_move_counts" check (moved_count >= 0 and failed_count >= 0)`,
    );
    this.addSql(
      `alter table "price_move" add constraint "price_move_finished" check ((status = 'running') = (finished_at is null))`,
    );
    this.addSql(
      `alter table "price_move" add constraint "price_move_timing_check" check ("timing" in ('immediately', 'at_end_of_current_billing_period'))`,
    );
    this.addSql(
      `alter table "price_move" add constraint "price_move_status_check" check ("status" in ('running', 'stopped', 'completed'))`,
    );
    for (const sql of tenantTable('price_move')) this.addSql(sql);
    this.addSql(tenantReference('price_move', 'from_price_id', 'price', 'restrict'));
    this.addSql(tenantReference('price_move', 'to_price_id', 'price', 'restrict'));
  }
}
