import { Reservation, reservationStatuses } from '#domain/model/capacity/reservation.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
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

builder.node(Reservation, {
  name: 'Reservation',
  description: 'Capacity that is reserved for a limited time, then claimed or released.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('reservation'),
  loadOne: loadOne(Reservation),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', {
      description: 'The subscription that provides the capacity.',
    }),
    subscription: t.field(
      reference(Subscription, 'subscriptionId', 'The subscription that provides the capacity.'),
    ),
    resourceId: t.exposeID('resourceId', { description: 'The reserved resource.' }),
    resource: t.field(reference(Resource, 'resourceId', 'The reserved resource.')),
    status: t.field({
      type: ReservationStatus,
      description: 'The status; `expired` as soon as its lifetime is over.',
      // Those that live by a test clock are noted down as expired as it moves.
      resolve: (reservation, _args, { now }) =>
        reservation.testClockId ? reservation.status : reservation.statusAt(now),
    }),
    quantity: t.expose('quantity', {
      type: 'SafeInt',
      description: 'The number of reserved units.',
    }),
    externalIds: t.exposeStringList('externalIds', {
      nullable: true,
      description: 'Your own names for the holders of the units; null for anonymous claims.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Metadata that the claims receive.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      description: 'The time when the reservation expires.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of confirmation, release or expiry; null before.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The usage meter whose credits are reserved; null without credits.',
    }),
    usageMeter: t.field(
      optionalReference(
        UsageMeter,
        'usageMeterId',
        'The usage meter whose credits are reserved; null without credits.',
      ),
    ),
    usageAmount: t.expose('usageAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The reserved amount of credits.',
    }),
    usageEventId: t.exposeID('usageEventId', {
      nullable: true,
      description: 'The usage event that consumed the reserved credits.',
    }),
    usageEvent: t.field(
      optionalReference(
        UsageEvent,
        'usageEventId',
        'The usage event that consumed the reserved credits.',
      ),
    ),
    claimIds: t.exposeStringList('claimIds', {
      nullable: true,
      description: 'The claims that the reservation became; null unless it was confirmed.',
    }),
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
