import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Migration } from '@mikro-orm/migrations';

const folder = path.join(import.meta.dirname, 'baseline');

/** The schema of version 0.1.0: every table, constraint, index and trigger. Functions have files of their own. */
export class Migration20261122100000 extends Migration {
  override name = 'Migration20261122100000';

  override up(): void {
    for (const file of readdirSync(folder).toSorted()) {
      this.addSql(readFileSync(path.join(folder, file), 'utf8'));
    }
  }
}
