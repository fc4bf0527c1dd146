import { Migration } from '@mikro-orm/migrations';

/**
 * A total that is changed without its digest loses it: each change of a digest has another version. Digests that an
 * earlier version has left behind have another number of events than their total.
 */
export class Migration20261130020000 extends Migration {
  override name = 'Migration20261130020000';

  override up(): void {
    this.addSql(`update usage_total
      set digest = case when (digest->>'count')::bigint = events then digest || '{"version": 0}' end
      where digest is not null`);
    // Triggers need their function, which is applied from its file after the migrations.
    this.addSql(`create function forget_digest() returns trigger language plpgsql as 'begin return new; end'`);
    this.addSql(`create trigger digest_forgotten before update on usage_total for each row
      when (new.digest = old.digest) execute function forget_digest()`);
  }
}
