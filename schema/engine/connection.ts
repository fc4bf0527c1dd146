import { builder } from './builder.ts';

builder.globalConnectionFields((t) => ({
  hasMore: t.exposeBoolean('hasMore', {
    description: 'Whether records follow in the direction of reading.',
    deprecationReason: 'Use `pageInfo { hasNextPage }`. REST needs this field.',
  }),
  currentCursor: t.exposeString('currentCursor', {
    nullable: true,
    description: 'The cursor that the request passed; null on the first page.',
    deprecationReason: 'The caller knows the cursor that it sent. REST needs this field.',
  }),
  nextCursor: t.exposeString('nextCursor', {
    nullable: true,
    description: 'The cursor of the next page; null on the last page.',
    deprecationReason: 'Use `pageInfo { endCursor }`. REST needs this field.',
  }),
  totalCount: t.field({
    type: 'SafeInt',
    description: 'The exact number of records in the whole list.',
    resolve: ({ totalCount }) => totalCount(),
  }),
}));
