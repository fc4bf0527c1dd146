/**
 * The statements that give a table to the tenants, for a migration: rows refer to a pricing model of their own
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

/** The statement that keeps a reference inside its pricing model, for a migration. */
export const samePricingModel = (table: string, column: string, parent: string): string =>
  `alter table ${table} add constraint ${table}_${column}_tenant foreign key (${column}, pricing_model_id)
    references ${parent} (id, pricing_model_id)`;
