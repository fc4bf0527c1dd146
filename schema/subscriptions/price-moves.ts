import { Price } from '#domain/model/catalog/price.ts';
import {
  type MoveFailure,
  mostFailures,
  moveStatuses,
  moveTimings,
  PriceMove,
} from '#domain/model/subscriptions/price-move.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { priceMoveInput } from '#domain/subscriptions/adjusting/move-terms.ts';
import { createPriceMove } from '#domain/subscriptions/commands/price-moves/create-price-move.ts';
import {
  stopPriceMove,
  stopPriceMoveInput,
} from '#domain/subscriptions/commands/price-moves/stop-price-move.ts';
import {
  mostExamples,
  type PreviewedMove,
  previewPriceMove,
} from '#domain/subscriptions/commands/subscription-adjustments/preview-price-move.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, id, int, nullable, of, safeInt, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { readable } from '../engine/readable.ts';
import { withId } from '../engine/reference.ts';
import { input, object, record } from '../engine/types.ts';
import { byEnum, byId } from '../engine/where.ts';
import { AdjustmentPreview } from './adjustment-preview.ts';

const PriceMoveTiming = builder.enumType('PriceMoveTiming', {
  description: 'When each subscriber gets the new price.',
  values: described(moveTimings, {
    immediately: 'Immediately; the rest of the billing period is prorated if `prorate` is true.',
    at_end_of_current_billing_period: 'At the end of its current billing period.',
  }),
});

const PriceMoveStatus = builder.enumType('PriceMoveStatus', {
  description: 'The status of a price move.',
  values: described(moveStatuses, {
    running: 'A job moves the subscriptions one after the other.',
    stopped: 'A caller has stopped it; moved subscriptions keep the new price.',
    completed: 'Each subscription was moved or has failed.',
  }),
});

const Failure = object<MoveFailure>('PriceMoveFailure')({
  description: 'A subscription that could not be moved.',
  fields: () => ({
    ...withId('subscription', Subscription, 'The subscription.'),
    reason: text('The reason of the refusal.'),
  }),
});

record(PriceMove, {
  description: 'The move of all subscribers of a price to another one, as a job with progress.',
  fields: () => ({
    ...withId('fromPrice', Price, 'The price of the subscribers.'),
    ...withId('toPrice', Price, 'The price that they get.'),
    timing: of(PriceMoveTiming, 'When each subscriber gets the new price.'),
    prorate: flag('Whether an immediate move charges or credits the rest of the billing period.'),
    keepNegotiatedPrices: flag('Whether items with a negotiated unit price keep it.'),
    status: of(PriceMoveStatus, 'The status.'),
    subscriptionCount: int(
      'The number of subscriptions that had the price when the move began, or a planned phase with it.',
    ),
    movedCount: int(
      'The number of subscriptions with the new price: now, at their period’s end or by a planned phase.',
    ),
    failedCount: int('The number of subscriptions that could not be moved.'),
    failures: of(
      [Failure],
      `The first subscriptions that could not be moved; at most ${mostFailures}.`,
    ),
    progressedAt: nullable.time(
      'The time when a subscription was last moved or failed, or of the last event about its progress.',
    ),
    retryAt: nullable.time(
      'The time after which a running move that waits is continued, within a minute; null while a job works on it.',
    ),
    problem: nullable.text('The reason why a running move waits; null while a job works on it.'),
    finishedAt: nullable.time(
      'The time when it was completed or stopped; null while it is running.',
    ),
  }),
});

readable({
  one: 'priceMove',
  many: 'priceMoves',
  noun: 'price move',
  entity: PriceMove,
  where: {
    status: byEnum(PriceMoveStatus, 'status', 'The status.'),
    fromPrice: byId('fromPrice', 'The price of the subscribers.'),
    toPrice: byId('toPrice', 'The price that they get.'),
  },
});

const CreatePriceMove = input('CreatePriceMoveInput', {
  description: 'A move of all subscribers of a price to another one.',
  fields: {
    fromPriceId: id('The subscription price of the subscribers; it may be retired.'),
    toPriceId: nullable.id(
      'The id of the active price that they get; alternative to `toPriceSlug`.',
    ),
    toPriceSlug: nullable.text(
      'The slug of the active price that they get; alternative to `toPriceId`.',
    ),
    timing: nullable.of(
      PriceMoveTiming,
      'When; at the end of the current billing period when absent.',
    ),
    prorate: nullable.flag(
      'Whether an immediate move charges or credits the rest of the billing period; true when absent.',
    ),
    keepNegotiatedPrices: nullable.flag(
      'Whether items with a negotiated unit price keep it; true when absent.',
    ),
  },
});

const Preview = object<PreviewedMove>('PriceMovePreview')({
  description: 'The effect of a price move.',
  fields: () => ({
    subscriptionCount: int(
      'The number of subscriptions with the price, now or by a planned phase.',
    ),
    phaseCount: int('The number of planned phases that name the price, and get the new one.'),
    currentTotal: safeInt(
      'The price of all their items of it in one billing period, in minor units.',
    ),
    newTotal: safeInt('The same at the new price, in one of its billing periods.'),
    currency: text('The currency, by its code of ISO 4217.'),
    examples: of(
      [AdjustmentPreview],
      `The exact adjustments of the first subscriptions; at most ${mostExamples}.`,
    ),
  }),
});

const args = { priceMove: of(CreatePriceMove, 'The move.') };

mutation('createPriceMove', {
  returns: [PriceMove, 'The new move.'],
  description:
    'Begins to move all subscribers of a price to another one. A job adjusts one subscription after the other and emits price_move.updated. Errors: BAD_REQUEST for prices that cannot be moved between, and while another move from the price is running.',
  args,
  input: priceMoveInput,
  command: createPriceMove,
});

mutation('previewPriceMove', {
  returns: [Preview, 'The effect of the move.'],
  description:
    'Computes the effect of a move without beginning it. A subscription that cannot be moved is among the examples with its reason. Errors: BAD_REQUEST for prices that cannot be moved between.',
  args,
  input: priceMoveInput,
  command: previewPriceMove,
});

mutation('stopPriceMove', {
  returns: [PriceMove, 'The stopped move.'],
  description:
    'Stops a move. Moved subscriptions keep the new price, and scheduled changes stay scheduled. A move that has ended is returned unchanged. Errors: NOT_FOUND.',
  args: { id: id('The id of the move.') },
  input: stopPriceMoveInput,
  command: stopPriceMove,
});
