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
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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

mutation('reserveResource', {
  returns: ReserveResourcePayload,
  description:
    'Reserves capacity for a limited time, all units or none. Give exactly one of `quantity`, `externalId` and `externalIds`. Errors: BAD_REQUEST for an unknown subscription and for a resource that is unknown or not granted; CONFLICT for a subscription that is incomplete or has ended and for more than is available.',
  args: {
    subscriptionId: id('The id of the subscription that provides the capacity.'),
    resourceSlug: text('The slug of the resource.'),
    quantity: nullable.safeInt(`The number of units, for anonymous claims; ${mostClaims}.`),
    externalId: nullable.text('Your own name for the holder of the unit.'),
    externalIds: nullable.of(['String'], 'Several such names; duplicates count once.'),
    metadata: nullable.json('Metadata that the claims receive.'),
    usageMeterSlug: nullable.text(
      'The slug of the usage meter whose credits are reserved as well.',
    ),
    usageAmount: nullable.decimal('The amount of credits to reserve.'),
    ttlSeconds: nullable.int('The lifetime, 1 to 86400 seconds; 900 when absent.'),
  },
  input: reserveResourceInput,
  command: reserveResource,
});

mutation('confirmReservation', {
  returns: ConfirmReservationPayload,
  description:
    'Turns a reservation into claims; a confirmed reservation is returned unchanged. Errors: NOT_FOUND; CONFLICT for a reservation that was released or has expired.',
  args: {
    id: id('The id of the reservation.'),
    usageAmount: nullable.decimal('The usage to record; the reserved amount when absent.'),
  },
  input: confirmReservationInput,
  command: confirmReservation,
});

mutation('releaseReservation', {
  returns: [Reservation, 'The released reservation.'],
  description:
    'Releases a reservation; a released or expired reservation is returned unchanged. Errors: NOT_FOUND; CONFLICT for a reservation that was confirmed.',
  args: { id: id('The id of the reservation.') },
  input: releaseReservationInput,
  command: releaseReservation,
});
