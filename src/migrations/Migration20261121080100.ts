import { Migration } from '@mikro-orm/migrations';

const tenantTables = [
  'api_key',
  'feature',
  'price',
  'product',
  'product_feature',
  'resource',
  'usage_meter',
  'webhook',
];

/** What no entity definition can say: rows stay inside their tenant, and every tenant table is counted. */
export class Migration20261121080100 extends Migration {
  override up() {
    this.addSql(`create function count_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count as held (relation, pricing_model_id, backend, rows)
    select tg_table_name, pricing_model_id, pg_backend_pid(), count(*) from added group by 2
    on conflict (relation, pricing_model_id, backend) do update set rows = held.rows + excluded.rows;
  else
    insert into row_count as held (relation, pricing_model_id, backend, rows)
    select tg_table_name, pricing_model_id, pg_backend_pid(), -count(*) from removed group by 2
    on conflict (relation, pricing_model_id, backend) do update set rows = held.rows + excluded.rows;
  end if;
  return null;
end $$`);

    this.addSql(`create procedure keep_tenant(owned regclass) language plpgsql as $$
begin
  execute format('alter table %s add constraint %I foreign key (pricing_model_id, organization_id, livemode)
    references pricing_model (id, organization_id, livemode)', owned, owned || '_tenant');
  execute format('create trigger count_added after insert on %s referencing new table as added
    for each statement execute function count_rows()', owned);
  execute format('create trigger count_removed after delete on %s referencing old table as removed
    for each statement execute function count_rows()', owned);
end $$`);

    this.addSql(`create procedure same_pricing_model(child regclass, reference text, parent regclass) language plpgsql as $$
begin
  execute format('alter table %s add constraint %I foreign key (%I, pricing_model_id)
    references %s (id, pricing_model_id)', child, child || '_' || reference || '_tenant', reference, parent);
end $$`);

    this.addSql(
      `alter table pricing_model add constraint pricing_model_tenant_unique unique (id, organization_id, livemode)`,
    );
    this.addSql(
      `alter table pricing_model add constraint pricing_model_organization foreign key (organization_id) references organization (id)`,
    );
    for (const table of tenantTables) this.addSql(`call keep_tenant('${table}')`);

    for (const parent of ['product', 'usage_meter', 'feature', 'resource']) {
      this.addSql(
        `alter table ${parent} add constraint ${parent}_tenant_unique unique (id, pricing_model_id)`,
      );
    }
    this.addSql(`call same_pricing_model('price', 'product_id', 'product')`);
    this.addSql(`call same_pricing_model('price', 'usage_meter_id', 'usage_meter')`);
    this.addSql(`call same_pricing_model('feature', 'usage_meter_id', 'usage_meter')`);
    this.addSql(`call same_pricing_model('feature', 'resource_id', 'resource')`);
    this.addSql(`call same_pricing_model('product_feature', 'product_id', 'product')`);
    this.addSql(`call same_pricing_model('product_feature', 'feature_id', 'feature')`);
    this.addSql(
      `alter table idempotency_key add constraint idempotency_key_owner foreign key (api_key_id) references api_key (id)`,
    );
  }
}
