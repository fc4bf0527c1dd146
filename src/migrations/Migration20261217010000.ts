import { Migration } from '@mikro-orm/migrations';

/** Subscriptions have a chosen anchor, a limited number of periods, and a window for late usage. */
export class Migration20261217010000 extends Migration {
  override name = 'Migration20261217010000';

  override up(): void {
    this.addSql(
      `alter table subscription add column anchored boolean not null default false,
         add column remaining_periods int, add column draft_window_hours int`,
    );
    this.addSql(
      `alter table subscription add constraint subscription_remaining check (remaining_periods >= 0),
         add constraint subscription_draft_window check (draft_window_hours >= 0 and draft_window_hours <= 720),
         add constraint subscription_anchored check (not anchored or billing_cycle_anchor_date is not null)`,
    );
    this.addSql(`alter table billing_period add column cycle_start timestamptz(3)`);
    this.addSql(
      `alter table billing_period add constraint billing_period_cycle check (cycle_start < start_date)`,
    );
    this.addSql(
      `alter table organization_settings add column draft_window_hours int not null default 0`,
    );
    this.addSql(
      `alter table organization_settings add constraint organization_settings_draft_window
         check (draft_window_hours >= 0 and draft_window_hours <= 720)`,
    );
  }
}
