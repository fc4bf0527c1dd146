import {
  type ConfirmedReservation,
  confirmReservation,
  confirmReservationInput,
} from '#domain/reservations/confirm-reservation.ts';
import {
  releaseReservation,
  releaseReservationInput,
} from '#domain/reservations/release-reservation.ts';
import { Reservation, reservationStatuses } from '#domain/reservations/reservation.ts';
import {
  type ReservedResource,
  reserveResource,
  reserveResourceInput,
} from '#domain/reservations/reserve-resource.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/records.ts';
import { ResourceUsage } from './resource-usage.ts';

const ReservationStatus = builder.enumType('ReservationStatus', {
  description: 'Where a reservation stands; all but held are final.',
  values: reservationStatuses,
});

builder.node(Reservation, {
  name: 'Reservation',
  description: 'Capacity that is held for a while, to be claimed or given back.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`reservation_…`' },
  loadOne: (id, { em }) => em.findOne(Reservation, id),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'Whose capacity it is.' }),
    resourceId: t.exposeID('resourceId', { description: 'What is held.' }),
    status: t.field({
      type: ReservationStatus,
      description: 'Where it stands; expired as soon as its time is over.',
      // Those that live by a test clock are noted down as expired as it moves.
      resolve: (reservation, _args, { now }) =>
        reservation.testClockId ? reservation.status : reservation.statusAt(now),
    }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Units that are held.' }),
    externalIds: t.exposeStringList('externalIds', {
      nullable: true,
      description: 'For whom, by names of your own; null for anonymous claims.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Is attached to the claims.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      description: 'From this instant on it holds nothing.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it was confirmed, released or over; null while it is held.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The usage meter whose credits are held; null where none are.',
    }),
    usageAmount: t.expose('usageAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'How much of them.',
    }),
    usageEventId: t.exposeID('usageEventId', {
      nullable: true,
      description: 'The usage event that they have gone to.',
    }),
    claimIds: t.exposeStringList('claimIds', {
      nullable: true,
      description: 'The claims that it has become; null unless it was confirmed.',
    }),
  }),
});

const ReservationFilter = builder.inputType('ReservationFilter', {
  description: 'Which reservations to list.',
  fields: (t) => ({
    subscriptionId: t.id({ description: 'Of the subscription with this id.' }),
    customerId: t.id({ description: 'Of the customer with this id.' }),
    resourceId: t.id({ description: 'Of the resource with this id.' }),
    status: t.field({ type: ReservationStatus, description: 'Standing there, as noted down.' }),
  }),
});

readable({
  one: 'reservation',
  many: 'reservations',
  noun: 'reservation',
  entity: Reservation,
  filter: ReservationFilter,
});

const ReserveResourcePayload = builder
  .objectRef<ReservedResource>('ReserveResourcePayload')
  .implement({
    description: 'What has been reserved.',
    fields: (t) => ({
      reservation: t.expose('reservation', { type: Reservation, description: 'The reservation.' }),
      usage: t.expose('usage', { type: ResourceUsage, description: 'How it stands now.' }),
    }),
  });

const ConfirmReservationPayload = builder
  .objectRef<ConfirmedReservation>('ConfirmReservationPayload')
  .implement({
    description: 'A reservation that was confirmed.',
    fields: (t) => ({
      reservation: t.expose('reservation', { type: Reservation, description: 'The reservation.' }),
      claims: t.field({
        type: [ResourceClaim],
        description: 'The claims that it has become.',
        resolve: ({ claims }) => claims,
      }),
    }),
  });

builder.mutationFields((t) => ({
  reserveResource: t.field({
    type: ReserveResourcePayload,
    description:
      'Holds capacity for a while, all that is asked for or nothing; give exactly one of quantity, externalId and externalIds. Errors: BAD_REQUEST for an unknown subscription and for a resource that is unknown or not granted; CONFLICT for a subscription that is incomplete or has ended and for more than is available.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'Whose capacity.' }),
      resourceSlug: t.arg.string({ required: true, description: 'Of which resource.' }),
      quantity: t.arg({ type: 'SafeInt', description: 'How many units, for anonymous claims.' }),
      externalId: t.arg.string({ description: 'For whom, by a name of your own.' }),
      externalIds: t.arg.stringList({ description: 'Several such names, each counted once.' }),
      metadata: t.arg({ type: 'JSON', description: 'Is attached to the claims.' }),
      usageMeterSlug: t.arg.string({ description: 'The meter whose credits are to be held, too.' }),
      usageAmount: t.arg({ type: 'Decimal', description: 'How much of them.' }),
      ttlSeconds: t.arg.int({
        description: 'For how long, 1 to 86400 seconds; 900 when absent.',
      }),
    },
    validate: { schema: reserveResourceInput },
    resolve: (_root, args, session) => reserveResource(session, args as never),
  }),
  confirmReservation: t.field({
    type: ConfirmReservationPayload,
    description:
      'Turns a reservation into claims; one that was confirmed before is answered as it is. Errors: NOT_FOUND; CONFLICT for one that was released or has expired.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the reservation.' }),
      usageAmount: t.arg({
        type: 'Decimal',
        description: 'How much was used in the end; what is held when absent.',
      }),
    },
    validate: { schema: confirmReservationInput },
    resolve: (_root, args, session) => confirmReservation(session, args),
  }),
  releaseReservation: t.field({
    type: Reservation,
    description:
      'Gives back what a reservation holds; one that holds nothing any longer is answered as it is. Errors: NOT_FOUND; CONFLICT for one that was confirmed.',
    args: { id: t.arg.id({ required: true, description: 'The id of the reservation.' }) },
    validate: { schema: releaseReservationInput },
    resolve: (_root, args, session) => releaseReservation(session, args),
  }),
}));
