import { Price } from '#domain/model/catalog/price.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  type PhaseItem,
  phaseTimings,
  SubscriptionPhase,
  subscriptionPhaseStatuses,
} from '#domain/model/subscriptions/subscription-phase.ts';
import { mostItems } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { expectedStart } from '#domain/subscriptions/adjusting/expected-start.ts';
import { partOfRow } from '../catalog/price-models.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, nullable, of, safeInt, time } from '../engine/fields.ts';
import { load } from '../engine/load.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId } from '../engine/reference.ts';
import { object, record } from '../engine/types.ts';
import { byEnum, byId } from '../engine/where.ts';
import { discountText } from './subscription-items.ts';

const SubscriptionPhaseStatus = builder.enumType('SubscriptionPhaseStatus', {
  description: 'The status of a phase.',
  values: described(subscriptionPhaseStatuses, {
    planned: 'It starts later. It can be changed and deleted.',
    started: 'Its items were applied.',
    skipped:
      'A later phase was due at the same boundary, or a later adjustment began a period with its items.',
    failed: 'Its items could not be applied; the subscription kept the others.',
    canceled: 'The subscription ended before.',
  }),
});

export const SubscriptionPhaseTiming = builder.enumType('SubscriptionPhaseTiming', {
  description: 'When a phase starts.',
  values: described(phaseTimings, {
    with_period:
      'With the first billing period that begins at its start or later. No proration is needed.',
    at_date:
      'At its start, also within a billing period. A dearer rest of the period is billed with the next invoice, and a cheaper one is credited as with an adjustment. It starts with the next period where that has another interval, or no period is running. The same is true while another change of the plan is planned or being paid.',
  }),
});

const PhaseItemType = object<PhaseItem>('SubscriptionPhaseItem')({
  description: 'An item of a phase.',
  fields: (t) => ({
    priceId: id('The price.'),
    price: optionalReference(Price, 'priceId', 'The price.'),
    quantity: safeInt('The quantity.'),
    unitPrice: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'The negotiated price of one unit, in minor units; null for that of the present item, otherwise of the price.',
      resolve: ({ unitPrice }) => unitPrice ?? null,
    }),
    discountPercentage: t.field({
      type: 'Decimal',
      nullable: true,
      description: `${discountText} 0 for none; null for that of the present item.`,
      resolve: ({ discountPercentage }) =>
        discountPercentage === null ? '0' : (discountPercentage ?? null),
    }),
    name: t.string({
      nullable: true,
      description: 'The display name; null for that of the present item, otherwise of the price.',
      resolve: ({ name }) => name ?? null,
    }),
  }),
});

record(SubscriptionPhase, {
  description: 'Items that a subscription has from a later instant on.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer.'),
    ...withId('subscription', Subscription, 'The subscription.'),
    status: of(SubscriptionPhaseStatus, 'The status.'),
    startsAt: time('The planned start.'),
    timing: of(
      SubscriptionPhaseTiming,
      'Whether it starts then, or with the first billing period that begins then or later.',
    ),
    expectedAt: t.field({
      type: 'Timestamp',
      nullable: true,
      description:
        'The instant at which it is expected to start: its date or a boundary, by the present interval. Null once it is not planned, before the first billing period, in a pause of the billing, and where the subscription ends before.',
      resolve: async (phase, _args, session) => {
        const subscription = await load(session, Subscription, phase.subscriptionId);
        return subscription && expectedStart(phase, subscription);
      },
    }),
    startedAt: nullable.time(
      'The instant at which its items were applied: a boundary, or its planned start; null until then.',
    ),
    problem: nullable.text(
      'The reason why its items could not be applied; null unless it has failed.',
    ),
    items: of(
      [PhaseItemType],
      `All items of the plan from then on; at most ${mostItems}.`,
      partOfRow,
    ),
  }),
});

readable({
  one: 'subscriptionPhase',
  many: 'subscriptionPhases',
  noun: 'subscription phase',
  entity: SubscriptionPhase,
  where: {
    customer: byId('customerId', 'The customer.'),
    subscription: byId('subscription', 'The subscription.'),
    status: byEnum(SubscriptionPhaseStatus, 'status', 'The status.'),
  },
});

builder.objectField(Subscription, 'phases', (t) =>
  listBelow(t, SubscriptionPhase, { by: 'subscription', description: 'Its phases.' }),
);
