import { defineEntity, p } from '@mikro-orm/core';
import { safeInteger } from './columns.ts';

const RowCountSchema = defineEntity({
  name: 'RowCount',
  properties: {
    /** The counted table's name. */
    relation: p.string().primary(),
    pricingModelId: p.string().primary(),
    /** The database connection that counted: each has its own row, so writers never wait here. */
    backend: p.integer().primary(),
    rows: safeInteger(),
  },
});

/**
 * How many rows a pricing model has in a table, as the sum over connections. A trigger on every
 * tenant table keeps it in the transaction that adds or removes rows, so a list's total is exact
 * and costs the same with ten rows and with ten million.
 */
export class RowCount extends RowCountSchema.class {}
RowCountSchema.setClass(RowCount);
