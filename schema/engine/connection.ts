import { listOrders } from '#domain/kernel/page.ts';
import { builder } from './builder.ts';
import { described } from './described.ts';

/** How lists are ordered. */
export const ListOrder = builder.enumType('ListOrder', {
  description:
    'The order of a list, by creation time. Records of the same instant follow the order of their creation. The default is `created_at_asc`.',
  values: described(listOrders, {
    created_at_asc: 'The oldest records come first.',
    created_at_desc: 'The newest records come first.',
  }),
});

builder.globalConnectionFields((t) => ({
  hasMore: t.exposeBoolean('hasMore', {
    description: 'Whether records follow in the direction of reading.',
  }),
  currentCursor: t.exposeString('currentCursor', {
    nullable: true,
    description: 'The cursor that the request passed; null on the first page.',
  }),
  nextCursor: t.exposeString('nextCursor', {
    nullable: true,
    description: 'The cursor of the next page; null on the last page.',
  }),
  totalCount: t.field({
    type: 'SafeInt',
    description: 'The exact number of records in the whole list.',
    resolve: ({ totalCount }) => totalCount(),
  }),
}));
