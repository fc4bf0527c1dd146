import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Migration } from '@mikro-orm/migrations';

/**
 * The statistics over time: the changes of MRR and of statuses, the movements of customers, and their days. The
 * changes of existing subscriptions are added as far as their rows show them.
 */
export class Migration20261122130000 extends Migration {
  override name = 'Migration20261122130000';

  override up(): void {
    for (const file of ['tables.sql', 'existing-rows.sql']) {
      const name = path.join(import.meta.dirname, 'statistics', file);
      this.addSql(readFileSync(name, 'utf8'));
    }
  }
}
