import {
  type ConfirmedReservation,
  confirmReservation,
  confirmReservationInput,
} from '#domain/capacity/commands/reservations/confirm-reservation.ts';
import {
  releaseReservation,
  releaseReservationInput,
} from '#domain/capacity/commands/reservations/release-reservation.ts';
import {
  type ReservedResource,
  reserveResource,
  reserveResourceInput,
} from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { builder } from '../engine/builder.ts';
import { byCommand } from '../engine/by-command.ts';
import { of } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
import { object } from '../engine/types.ts';
import { mostClaims } from './resource-claim-commands.ts';
import { ResourceUsage } from './resource-usage.ts';

const ReserveResourcePayload = object<ReservedResource>('ReserveResourcePayload')({
  description: 'A new reservation.',
  fields: () => ({
    reservation: of(Reservation, 'The reservation.'),
    usage: of(ResourceUsage, 'The usage of the resource after the change.'),
  }),
});

const ConfirmReservationPayload = object<ConfirmedReservation>('ConfirmReservationPayload')({
  description: 'A confirmed reservation.',
  fields: () => ({
    reservation: of(Reservation, 'The reservation.'),
    claims: of([ResourceClaim], `The claims that the reservation became; ${mostClaims}.`),
  }),
});

builder.mutationFields((t) => ({
  reserveResource: t.field({
    type: ReserveResourcePayload,
    description:
      'Reserves capacity for a limited time, all units or none. Give exactly one of `quantity`, `externalId` and `externalIds`. Errors: BAD_REQUEST for an unknown subscription and for a resource that is unknown or not granted; CONFLICT for a subscription that is incomplete or has ended and for more than is available.',
    args: {
      subscriptionId: t.arg.id({
        required: true,
        description: 'The id of the subscription that provides the capacity.',
      }),
      resourceSlug: t.arg.string({ required: true, description: 'The slug of the resource.' }),
      quantity: t.arg({
        type: 'SafeInt',
        description: `The number of units, for anonymous claims; ${mostClaims}.`,
      }),
      externalId: t.arg.string({ description: 'Your own name for the holder of the unit.' }),
      externalIds: t.arg.stringList({ description: 'Several such names; duplicates count once.' }),
      metadata: t.arg({ type: 'JSON', description: 'Metadata that the claims receive.' }),
      usageMeterSlug: t.arg.string({
        description: 'The slug of the usage meter whose credits are reserved as well.',
      }),
      usageAmount: t.arg({ type: 'Decimal', description: 'The amount of credits to reserve.' }),
      ttlSeconds: t.arg.int({
        description: 'The lifetime, 1 to 86400 seconds; 900 when absent.',
      }),
    },
    ...byCommand(reserveResourceInput, reserveResource),
  }),
  confirmReservation: t.field({
    type: ConfirmReservationPayload,
    description:
      'Turns a reservation into claims; a confirmed reservation is returned unchanged. Errors: NOT_FOUND; CONFLICT for a reservation that was released or has expired.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the reservation.' }),
      usageAmount: t.arg({
        type: 'Decimal',
        description: 'The usage to record; the reserved amount when absent.',
      }),
    },
    validate: { schema: confirmReservationInput },
    resolve: (_root, args, session) => confirmReservation(session, args),
  }),
  releaseReservation: t.field({
    type: payload('releaseReservation', Reservation, 'The released reservation.'),
    description:
      'Releases a reservation; a released or expired reservation is returned unchanged. Errors: NOT_FOUND; CONFLICT for a reservation that was confirmed.',
    args: { id: t.arg.id({ required: true, description: 'The id of the reservation.' }) },
    validate: { schema: releaseReservationInput },
    resolve: (_root, args, session) => releaseReservation(session, args),
  }),
}));
