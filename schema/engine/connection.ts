import { builder } from './builder.ts';

builder.globalConnectionField('totalCount', (t) =>
  t.field({
    type: 'SafeInt',
    description: 'The exact number of records in the whole list.',
    resolve: ({ totalCount }) => totalCount(),
  }),
);
