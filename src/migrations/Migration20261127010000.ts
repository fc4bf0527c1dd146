import { Migration } from '@mikro-orm/migrations';

/**
 * A reference and its twin that keeps it inside its pricing model become one foreign key, with the name and the action
 * of the reference. Each new row had two checks where one is enough.
 */
export class Migration20261127010000 extends Migration {
  override name = 'Migration20261127010000';

  override up(): void {
    this.addSql(`do $$
      declare
        pair record;
      begin
        for pair in
          select own.conrelid::regclass as child, own.conname as name, twin.conname as twin,
            pg_get_constraintdef(twin.oid) || case own.confdeltype
              when 'c' then ' on delete cascade' when 'r' then ' on delete restrict'
              when 'n' then format(' on delete set null (%I)', attname) else '' end as definition
          from pg_constraint own
            join pg_attribute on attrelid = own.conrelid and attnum = own.conkey[1]
            join pg_constraint twin on twin.conrelid = own.conrelid and twin.confrelid = own.confrelid
              and twin.conname = format('%s_%s_tenant', own.conrelid::regclass, attname)
          where own.contype = 'f' and cardinality(own.conkey) = 1 and twin.contype = 'f'
            and own.connamespace = current_schema()::regnamespace
          order by 1, 2
        loop
          execute format('alter table %s drop constraint %I, drop constraint %I, add constraint %I %s not valid',
            pair.child, pair.name, pair.twin, pair.name, pair.definition);
          execute format('alter table %s validate constraint %I', pair.child, pair.name);
        end loop;
      end $$`);
  }
}
