import { Product } from '#domain/model/catalog/product.ts';
import { mrrKinds } from '#domain/model/money/mrr-movement.ts';
import { liveMrr } from '#domain/money/commands/statistics/live-statistics.ts';
import {
  mrrMovements,
  type MrrPoint as Point,
  type MrrSeries as Series,
} from '#domain/money/commands/statistics/mrr-movements.ts';
import { builder } from '../engine/builder.ts';
import { flag, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { statisticArgs } from './statistics.ts';

const amounts: Readonly<Record<(typeof mrrKinds)[number], string>> = {
  new: 'The MRR of customers that had none ever before, in minor units.',
  expansion: 'The rise of MRR of customers that had some, in minor units.',
  contraction: 'The fall of MRR of customers that keep some, as a positive amount in minor units.',
  churn: 'The MRR of customers that have none any more, as a positive amount in minor units.',
  reactivation: 'The MRR of customers that had some before, but none any more, in minor units.',
};

const counts = {
  customersAtStart: 'The number of customers with MRR at the start of the bucket.',
  newCustomers: 'The number of customers that get MRR for the first time.',
  reactivatedCustomers: 'The number of customers that get MRR again.',
  churnedCustomers: 'The number of customers that lose their MRR.',
  customersAtEnd: 'The number of customers with MRR at the end of the bucket.',
} as const;

const MrrPoint = object<Point>('MrrPoint')({
  description:
    'The movements of MRR in a bucket. Each amount is rounded once, so a sum may differ by a minor unit.',
  fields: (t) => ({
    start: time('The start of the bucket.'),
    end: time('The end of the bucket, exclusive.'),
    mrrAtStart: safeInt('The MRR at the start of the bucket, in minor units.'),
    ...Object.fromEntries(
      mrrKinds.map((kind) => [
        kind,
        t.expose(kind, { type: 'SafeInt', description: amounts[kind] }),
      ]),
    ),
    mrrAtEnd: safeInt('The MRR at the end of the bucket, in minor units; the present one at most.'),
    ...Object.fromEntries(
      Object.entries(counts).map(([name, description]) => [
        name,
        t.exposeInt(name as keyof typeof counts, { description }),
      ]),
    ),
    customerChurnRate: nullable.decimal(
      'churnedCustomers divided by customersAtStart; null without customers.',
    ),
    revenueChurnRate: nullable.decimal(
      'churn and contraction, divided by mrrAtStart; null without MRR.',
    ),
  }),
});

const MrrSeries = object<Series>('MrrSeries')({
  description: 'The movements of MRR over time in one currency, from one product or from all.',
  fields: (t) => ({
    currency: text('The currency, an ISO 4217 code in upper case.'),
    product: t.field({
      type: Product,
      nullable: true,
      description: 'The product; null for all products, and for the others.',
      resolve: ({ productId }, _args, { em }) =>
        productId === null ? null : em.getReference(Product, productId, { wrapped: true }).load(),
    }),
    isOthers: flag('Whether it is the sum of the products beyond the 100 that move most.'),
    points: of([MrrPoint], 'The movements of each bucket, including empty ones; at most 1,000.'),
  }),
});

const args = {
  ...statisticArgs,
  ...builder.args((t) => ({
    byProduct: t.boolean({
      description:
        'Whether each product has a series of its own. A customer that changes the product then churns in one and is new in the other.',
    }),
    product: t.id({
      description: 'The id of the only product that counts; all products when absent.',
    }),
  })),
};

builder.queryField('mrrMovements', (t) =>
  t.field({
    type: [MrrSeries],
    description:
      'The movements of monthly recurring revenue over time, for each currency, with churn rates. Errors: NOT_FOUND for the product; BAD_REQUEST for an invalid time span and for more than 1,000 buckets.',
    args,
    resolve: (_root, args, session) => mrrMovements(session, args),
  }),
);

builder.subscriptionField('mrrMovementsChanged', (t) =>
  t.field({
    type: [MrrSeries],
    description:
      'Emits the movements of MRR immediately and when they differ, at most once a second. Errors: as mrrMovements.',
    args,
    subscribe: (_root, args, session) => liveMrr(session, args),
    resolve: (series) => series,
  }),
);
