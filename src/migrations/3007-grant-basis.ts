import { Migration } from '@mikro-orm/migrations';

export class GrantBasis extends Migration {
  override up(): void {
    for (const table of ['feature', 'subscription_item_feature'])
      this.addSql(`alter table "${table}" add "per" text null,
        add constraint "${table}_per_check" check (per in ('item', 'subscription'))`);
    this.addSql(`update "feature" set "per" = 'item' where "type" = 'usage_credit_grant'`);
    this.addSql(`alter table "feature"
      add constraint "feature_per" check ((type = 'usage_credit_grant') = (per is not null))`);
  }
}
