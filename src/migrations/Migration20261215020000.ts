import { Migration } from '@mikro-orm/migrations';

/** Totals of usage at a price with a matrix are summed by its cells. */
export class Migration20261215020000 extends Migration {
  override name = 'Migration20261215020000';

  override up(): void {
    this.addSql('alter table "usage_total" add "cells" jsonb null');
  }
}
