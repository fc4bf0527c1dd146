import { Migration } from '@mikro-orm/migrations';

/** Numbering asks whether an organization has an active webhook; claims by large numbers take several statements. */
export class Migration20261125080000 extends Migration {
  override name = 'Migration20261125080000';

  override up(): void {
    this.addSql('create index webhook_active on webhook (organization_id, livemode) where (active = true)');
    // They get other arguments; the present definitions are applied after the migrations.
    this.addSql(`do $$
      declare
        named record;
      begin
        for named in select oid::regprocedure as signature from pg_proc
          where pronamespace = current_schema()::regnamespace and proname in ('claim_resource', 'release_resource')
        loop
          execute format('drop function %s', named.signature);
        end loop;
      end $$`);
  }
}
