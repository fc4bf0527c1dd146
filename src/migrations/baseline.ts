import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { root } from '#root';

/** The schema of version 0.1.0: every table, constraint, index and trigger. */
export class Baseline extends Migration {
  override up(): void {
    this.addSql(readFileSync(path.join(root, 'src/migrations/baseline.sql'), 'utf8'));
  }
}
