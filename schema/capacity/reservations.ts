import { Reservation, reservationStatuses } from '#domain/model/capacity/reservation.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, safeInt, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId, byTime } from '../engine/where.ts';

const ReservationStatus = builder.enumType('ReservationStatus', {
  description: 'The status of a reservation; all except `held` are final.',
  values: described(reservationStatuses, {
    held: 'The capacity is reserved.',
    confirmed: 'The reservation became claims.',
    released: 'The reservation was released.',
    expired: 'The lifetime of the reservation is over.',
  }),
});

record(Reservation, {
  description: 'Capacity that is reserved for a limited time, then claimed or released.',
  fields: (t) => ({
    ...withId('subscription', Subscription, 'The subscription that provides the capacity.'),
    ...withId('resource', Resource, 'The reserved resource.'),
    status: t.field({
      type: ReservationStatus,
      description: 'The status; `expired` as soon as its lifetime is over.',
      // Those that live by a test clock are noted down as expired as it moves.
      resolve: (reservation, _args, { now }) =>
        reservation.testClockId ? reservation.status : reservation.statusAt(now),
    }),
    quantity: safeInt('The number of reserved units.'),
    externalIds: nullable.of(
      ['String'],
      'Your own names for the holders of the units; null for anonymous claims.',
    ),
    metadata: nullable.json('Metadata that the claims receive.'),
    expiresAt: time('The time when the reservation expires.'),
    settledAt: nullable.time('The time of confirmation, release or expiry; null before.'),
    ...withOptionalId(
      'usageMeter',
      UsageMeter,
      'The usage meter whose credits are reserved; null without credits.',
    ),
    usageAmount: nullable.decimal('The reserved amount of credits.'),
    ...withOptionalId(
      'usageEvent',
      UsageEvent,
      'The usage event that consumed the reserved credits.',
    ),
    claimIds: nullable.of(
      ['String'],
      'The claims that the reservation became; null unless it was confirmed.',
    ),
  }),
});

readable({
  one: 'reservation',
  many: 'reservations',
  noun: 'reservation',
  entity: Reservation,
  where: {
    subscription: byId('subscriptionId', 'The subscription.'),
    customer: byId('customerId', 'The customer.'),
    resource: byId('resourceId', 'The resource.'),
    usageMeter: byId('usageMeterId', 'The usage meter of the reserved credits.'),
    status: byEnum(ReservationStatus, 'status', 'The stored status.'),
    expiresAt: byTime('expiresAt', 'The time when the reservation expires.'),
  },
});
