import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import {
  createSubscriptionPhase,
  createSubscriptionPhaseInput,
} from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import {
  deleteSubscriptionPhase,
  deleteSubscriptionPhaseInput,
} from '#domain/subscriptions/commands/subscription-phases/delete-subscription-phase.ts';
import {
  updateSubscriptionPhase,
  updateSubscriptionPhaseInput,
} from '#domain/subscriptions/commands/subscription-phases/update-subscription-phase.ts';
import { IntervalUnit } from '../catalog/prices.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, repeatedId } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { discountText } from './subscription-items.ts';
import { SubscriptionPhaseTiming } from './subscription-phases.ts';

const PhaseItemInput = input('SubscriptionPhaseItemInput', {
  description:
    'An item of a phase. It continues the present item of the same price, with its terms where fields are absent.',
  fields: {
    priceId: nullable.id('The id of an active subscription price.'),
    priceSlug: nullable.text('The slug of an active subscription price; alternative to `priceId`.'),
    quantity: nullable.safeInt('The quantity, 1 or more; 1 when absent.'),
    unitPrice: nullable.safeInt('The negotiated price of one unit, in minor units, 0 or more.'),
    discountPercentage: nullable.decimal(
      `${discountText} Null for none; absent for that of the present item.`,
    ),
    name: nullable.text('The display name.'),
  },
});

const PhaseDelay = input('PhaseDelayInput', {
  description: 'A time after the previous phase.',
  fields: {
    interval: of(IntervalUnit, 'The unit.'),
    intervalCount: nullable.int('The number of units; 1 when absent.'),
  },
});

const startsAt = 'The planned start, in the future.';
const timing =
  'Whether the phase starts then, or with the first billing period that begins then or later; `with_period` when absent.';
const after =
  'The time from the start of the phase before, otherwise from the end of the trial or the start of the subscription; alternative to `startsAt`.';
const items = 'All items of the plan from then on, 1 to 100; present items that are not named end.';

/** A phase of a new subscription. */
export const PhaseInput = input('SubscriptionPhaseInput', {
  description: 'A phase of a new subscription.',
  fields: {
    startsAt: nullable.time(startsAt),
    after: nullable.of(PhaseDelay, after),
    timing: nullable.of(SubscriptionPhaseTiming, timing),
    items: of([PhaseItemInput], items),
  },
});

const CreatePhase = input('CreateSubscriptionPhaseInput', {
  description: 'Items that a subscription has from a later instant on.',
  fields: {
    subscriptionId: id('The subscription.'),
    startsAt: nullable.time(startsAt),
    after: nullable.of(PhaseDelay, after),
    timing: nullable.of(SubscriptionPhaseTiming, timing),
    items: of([PhaseItemInput], items),
  },
});

const UpdatePhase = input('UpdateSubscriptionPhaseInput', {
  description: 'Changes to a planned phase; absent fields do not change.',
  fields: {
    id: repeatedId,
    startsAt: nullable.time(startsAt),
    timing: nullable.of(
      SubscriptionPhaseTiming,
      'Whether it starts then, or with the first billing period from then on.',
    ),
    items: nullable.of([PhaseItemInput], items),
  },
});

mutation('createSubscriptionPhase', {
  returns: [SubscriptionPhase, 'The new phase.'],
  description:
    'Plans the items that a subscription has from a later instant on. Errors: BAD_REQUEST for a subscription that is unknown, ended, free, never charged or without billing periods. BAD_REQUEST also for a start that is not in the future or taken, and for items that the subscription cannot have.',
  args: { subscriptionPhase: of(CreatePhase, 'The phase.') },
  input: createSubscriptionPhaseInput,
  command: createSubscriptionPhase,
});

mutation('updateSubscriptionPhase', {
  returns: [SubscriptionPhase, 'The changed phase.'],
  description:
    'Changes the start, the timing or the items of a planned phase. Errors: NOT_FOUND; BAD_REQUEST as for a new phase, and for one that is not planned any more.',
  args: {
    id: id('The id of the phase.'),
    subscriptionPhase: of(UpdatePhase, 'The changes.'),
    expectedVersion,
  },
  input: updateSubscriptionPhaseInput,
  command: updateSubscriptionPhase,
});

mutation('deleteSubscriptionPhase', {
  returns: [SubscriptionPhase, 'The deleted phase.'],
  description:
    'Deletes a planned phase, and returns it. Errors: NOT_FOUND; BAD_REQUEST for one that is not planned any more.',
  args: { id: id('The id of the phase.') },
  input: deleteSubscriptionPhaseInput,
  command: deleteSubscriptionPhase,
});
