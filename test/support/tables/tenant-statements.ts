/** A table that the ORM creates, if its rows belong to a tenant. */
const created = /^create table "(\w+)" \((?=.*"pricing_model_id").*"livemode"/s;
/** A reference of the ORM within a tenant. The name of its constraint ends with the column. */
const reference =
  /^alter table "(\w+)" add constraint "(\w+)" foreign key \("(\w+)"\) references "(\w+)" \("id"\)(.*)$/;

/** The parents that have no pricing model of their own. */
const above = new Set(['organization', 'pricing_model']);

/**
 * The statements of the ORM for new tables with those that keep tenants apart. Rows refer to a pricing model of their own
 * organization and mode, references stay inside it, and each row is counted.
 */
export function withTenants(statements: readonly string[]): string[] {
  const tables = new Set(statements.flatMap((statement) => created.exec(statement)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const [, table = '', name, column, parent = '', action] = reference.exec(statement) ?? [];
    if (tables.has(table) && !above.has(parent)) {
      const inside = action?.replace('set null', `set null (${column})`);
      return `alter table "${table}" add constraint "${name}" foreign key (${column}, pricing_model_id)
  references "${parent}" (id, pricing_model_id)${inside}`;
    }
    const [, own] = created.exec(statement) ?? [];
    return own ? [statement, ...keysOf(own)] : statement;
  });
}

const keysOf = (table: string): string[] => [
  `alter table ${table} add constraint ${table}_tenant foreign key (pricing_model_id, organization_id, livemode)
  references pricing_model (id, organization_id, livemode)`,
  `create trigger count_added after insert on ${table} referencing new table as added
  for each statement execute function count_rows()`,
  `create trigger count_removed after delete on ${table} referencing old table as removed
  for each statement execute function count_rows()`,
];
