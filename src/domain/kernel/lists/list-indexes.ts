import { gramsOf, type SearchedTable } from './search.ts';

type PageColumn = 'pricingModelId' | 'createdAt' | 'position' | 'id';

const pageColumns: PageColumn[] = ['pricingModelId', 'createdAt', 'position', 'id'];

/** The index of the pages of a list, by tenant, in the order of creation. */
export const pageIndex = (table: string) => ({
  name: `${table}_page`,
  properties: pageColumns,
});

/** An index of an order by an expression, for tables of tenants. */
export const sortIndex = (table: string, name: string, expression: string) => ({
  name,
  expression: `create index "${name}" on "${table}" (pricing_model_id, (${expression}), position, id)`,
});

/** An index of an order by amount within each currency. */
export const amountIndex = (table: string, name: string, amount: string) => ({
  name,
  expression: `create index "${name}" on "${table}" (pricing_model_id, (coalesce(currency, '')), ${amount}, position, id)`,
});

/** An index of a search, by tenant. */
export const searchIndex = (table: SearchedTable) => ({
  name: `${table}_search`,
  expression: `create index "${table}_search" on "${table}" using gin (${gramsOf(table)}) with (gin_pending_list_limit = 512)`,
});
