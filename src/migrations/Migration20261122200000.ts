import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { samePricingModel, tenantTable } from '#server/database/tenant-table.ts';

const folder = path.join(import.meta.dirname, 'processing');

/** Processors: references, disputes, set-up pages, refunds that take time, and the records of the sandbox. */
export class Migration20261122200000 extends Migration {
  override name = 'Migration20261122200000';

  override up(): void {
    for (const file of readdirSync(folder).toSorted()) {
      this.addSql(readFileSync(path.join(folder, file), 'utf8'));
    }
    for (const table of ['dispute', 'payment_method_setup']) {
      for (const statement of tenantTable(table)) this.addSql(statement);
    }
    this.addSql(samePricingModel('dispute', 'payment_id', 'payment'));
    this.addSql(samePricingModel('payment_method_setup', 'customer_id', 'customer'));
  }
}
