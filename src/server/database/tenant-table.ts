/**
 * The statements that make a table a tenant table, for a migration. Rows refer to a pricing model of their own
 * organization and mode, and every row is counted.
 */
export const tenantTable = (table: string): string[] => [
  `alter table ${table} add constraint ${table}_tenant foreign key (pricing_model_id, organization_id, livemode)
    references pricing_model (id, organization_id, livemode)`,
  `create trigger count_added after insert on ${table} referencing new table as added
    for each statement execute function count_rows()`,
  `create trigger count_removed after delete on ${table} referencing old table as removed
    for each statement execute function count_rows()`,
];

/** The statement of migrations before `tenantReference`; `Migration20261127010000` merges its key with the ORM's. */
export const samePricingModel = (table: string, column: string, parent: string): string =>
  `alter table ${table} add constraint ${table}_${column}_tenant foreign key (${column}, pricing_model_id)
    references ${parent} (id, pricing_model_id)`;

/**
 * The statement that makes the ORM's foreign key keep a reference inside its pricing model, for a migration: one check
 * for each row instead of two. The action is that of the reference.
 */
export const tenantReference = (
  table: string,
  column: string,
  parent: string,
  action: 'cascade' | 'restrict' | `set null (${string})`,
): string =>
  `alter table ${table} drop constraint ${table}_${column}_foreign,
    add constraint ${table}_${column}_foreign foreign key (${column}, pricing_model_id)
    references ${parent} (id, pricing_model_id) on delete ${action}`;
