import {
  type ConfirmedReservation,
  confirmReservation,
  confirmReservationInput,
} from '#domain/reservations/confirm-reservation.ts';
import {
  releaseReservation,
  releaseReservationInput,
} from '#domain/reservations/release-reservation.ts';
import { Reservation } from '#domain/reservations/reservation.ts';
import {
  type ReservedResource,
  reserveResource,
  reserveResourceInput,
} from '#domain/reservations/reserve-resource.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { builder } from './engine/builder.ts';
import { ResourceUsage } from './resource-usage.ts';

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
