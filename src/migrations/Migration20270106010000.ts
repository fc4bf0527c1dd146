import { Migration } from '@mikro-orm/migrations';

/** Phases that start at their date, within a billing period. */
export class Migration20270106010000 extends Migration {
  override name = 'Migration20270106010000';

  override up(): void {
    this.addSql(`alter table "subscription" add "phase_start_at" timestamptz(3) null`);
    this.addSql(
      `alter table "subscription_phase" add "timing" text not null default 'with_period'`,
    );
    this.addSql(
      `alter table "subscription_phase" add constraint "subscription_phase_timing_check" check ("timing" in ('with_period', 'at_date'))`,
    );
  }
}
