import { listOrders } from '#domain/kernel/page.ts';
import { builder } from './builder.ts';

/** How lists are ordered. */
export const ListOrder = builder.enumType('ListOrder', {
  description:
    'How a list is ordered: by creation, records of the same instant in the order in which they were made. The oldest come first by default.',
  values: listOrders,
});

builder.globalConnectionFields((t) => ({
  hasMore: t.exposeBoolean('hasMore', {
    description: 'Whether rows follow in the direction of reading.',
  }),
  currentCursor: t.exposeString('currentCursor', {
    nullable: true,
    description: 'The cursor that this page was asked for with; null on the first page.',
  }),
  nextCursor: t.exposeString('nextCursor', {
    nullable: true,
    description: 'Where the next page starts; null on the last one.',
  }),
  totalCount: t.field({
    type: 'SafeInt',
    description: 'Exact number of rows in the whole list.',
    resolve: ({ totalCount }) => totalCount(),
  }),
}));
