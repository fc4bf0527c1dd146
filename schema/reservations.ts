import { Reservation, reservationStatuses } from '#domain/reservations/reservation.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

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
