import { Migration } from '@mikro-orm/migrations';

/** Mails to customers, their settings and templates; customers have a language. */
export class Migration20261219010000 extends Migration {
  override name = 'Migration20261219010000';

  override up(): void {
    this.addSql(
      `create table "mail" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "kind" text not null, "event_id" varchar(255) not null, "sequence" bigint not null, "position" bigint generated always as ("sequence") stored not null, "occurred_at" timestamptz(3) not null, "customer_id" varchar(255) not null, "object_id" varchar(255) not null, "status" text not null default 'pending', "language" varchar(255) null, "sender" text null, "recipient" text null, "reply_to" text null, "subject" text null, "text" text null, "html" text null, "problem" text null, "attempt_count" int not null default 0, "attempts" jsonb not null default '[]', "next_attempt_at" timestamptz(3) null, "sent_at" timestamptz(3) null, "repeats" int not null default 0, "claim" varchar(255) null, "claimed_until" timestamptz(3) null, "handed_over_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "mail_page" on "mail" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "mail_customer" on "mail" ("customer_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "mail_due" on "mail" ("organization_id", "livemode", "next_attempt_at", "sequence") where "status" = 'pending'`,
    );
    this.addSql(
      `create index "mail_dead" on "mail" ("updated_at") where "status" in ('failed', 'uncertain')`,
    );
    this.addSql(
      `create index "mail_age" on "mail" ("created_at")`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_once" unique ("event_id", "kind")`,
    );
    this.addSql(
      `create table "mail_settings" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "kinds" text[] not null, "from_name" varchar(255) null, "from_address" varchar(255) null, "reply_to" varchar(255) null, "language" varchar(255) not null default 'en', primary key ("id"))`,
    );
    this.addSql(
      `alter table "mail_settings" add constraint "mail_settings_mode_unique" unique ("organization_id", "livemode")`,
    );
    this.addSql(
      `create table "mail_template" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "kind" text not null, "language" varchar(255) not null, "subject" text not null, "mjml" text not null, "text" text null, "html" text not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "mail_template" add constraint "mail_template_unique" unique ("organization_id", "livemode", "kind", "language")`,
    );
    this.addSql(
      `alter table "customer" add "language" varchar(255) null`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_pending" check ((status = 'pending') = (next_attempt_at is not null))`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_mode" check (case status when 'sent' then livemode when 'caught' then not livemode else true end)`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_handed_over" check (handed_over_at is null or claim is not null)`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_kind_check" check ("kind" in ('invoice', 'receipt', 'payment_failed', 'alert'))`,
    );
    this.addSql(
      `alter table "mail" add constraint "mail_status_check" check ("status" in ('pending', 'sent', 'caught', 'failed', 'uncertain', 'dropped'))`,
    );
    this.addSql(
      `alter table "mail_template" add constraint "mail_template_kind_check" check ("kind" in ('invoice', 'receipt', 'payment_failed', 'alert'))`,
    );
    for (const table of ['mail_settings', 'mail_template']) {
      this.addSql(`alter table ${table} add constraint ${table}_organization
        foreign key (organization_id) references organization (id)`);
    }
    // Live mode sends nothing until somebody switches kinds on: an update must not surprise customers.
    this.addSql(`insert into mail_settings (id, created_at, updated_at, livemode, organization_id, kinds)
      select replace(id, 'org_settings_', 'mail_settings_'), created_at, now(), livemode, organization_id,
        case when livemode then '{}'::text[] else array['invoice', 'receipt', 'payment_failed', 'alert'] end
      from organization_settings`);
  }
}
