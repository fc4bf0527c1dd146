import { Migration } from '@mikro-orm/migrations';

/** The personal data of a customer can be erased; an erased customer stays archived. */
export class Migration20261201020000 extends Migration {
  override name = 'Migration20261201020000';

  override up(): void {
    this.addSql(`alter table customer add column erased_at timestamptz(3)`);
    this.addSql(
      `alter table customer add constraint customer_erased check (erased_at is null or archived)`,
    );
  }
}
