import { Migration } from '@mikro-orm/migrations';

export class UntoldReferences extends Migration {
  override up(): void {
    for (const table of ['payment', 'refund'])
      this.addSql(`alter table "${table}" add "reference_untold" boolean not null default false`);
  }
}
