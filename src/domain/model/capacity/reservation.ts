import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';

/** The status of a reservation; all but `held` are final. */
export const reservationStatuses = ['held', 'confirmed', 'released', 'expired'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];

const ReservationSchema = defineEntity({
  name: 'Reservation',
  indexes: [
    pageIndex('reservation'),
    {
      name: 'reservation_subscription',
      properties: ['subscriptionId', 'createdAt', 'position', 'id'],
    },
    {
      name: 'reservation_held',
      properties: ['subscriptionId', 'resourceId', 'expiresAt'],
      where: { status: 'held' },
    },
    {
      name: 'reservation_balance',
      properties: ['balanceId', 'expiresAt'],
      where: { status: 'held', balanceId: { $ne: null } },
    },
    {
      name: 'reservation_due',
      properties: ['testClockId', 'expiresAt', 'id'],
      where: { status: 'held' },
    },
  ],
  checks: checksOf({
    reservation_range: 'quantity >= 0 and expires_at > created_at',
    reservation_usage:
      'num_nonnulls(usage_meter_id, usage_amount, balance_id) in (0, 3) and usage_amount > 0',
    reservation_settled: `(status = 'held') = (settled_at is null)`,
  }),
  properties: {
    ...tenantColumns('reservation'),
    subscriptionId: p.string(),
    resourceId: p.string(),
    status: p.enum(reservationStatuses).default('held'),
    /** Reserved units of capacity. */
    quantity: safeInteger(),
    /** The caller's own ids for the claims; null for anonymous ones. */
    externalIds: p.json<string[]>().nullable(),
    /** Copied to the claims. */
    metadata: p.json<Metadata>().nullable(),
    /** From this instant on no units are reserved, whatever the status. */
    expiresAt: instant(),
    settledAt: instant().nullable(),
    /** The claims after its confirmation. */
    claimIds: p.json<string[]>().nullable(),
    /** The meter whose credits are reserved, too; null where none are. */
    usageMeterId: p.string().nullable(),
    /** The reserved amount, an exact decimal. */
    usageAmount: p.decimal('string').columnType('numeric').nullable(),
    /** The usage event that used them. */
    usageEventId: p.string().nullable(),
    /** The ledger of the credits. */
    balanceId: p.string().nullable().hidden(),
    customerId: p.string().hidden(),
    testClockId: p.string().nullable().hidden(),
  },
});

/** Capacity, and maybe usage credits, reserved for a while, to be claimed and used or released. */
export class Reservation extends ReservationSchema.class implements EmitsEvents {
  isHeld(now: Date) {
    return this.status === 'held' && this.expiresAt > now;
  }

  /** The status at an instant: an overdue reservation has expired, marked or not. */
  statusAt(now: Date): ReservationStatus {
    return this.status === 'held' && this.expiresAt <= now ? 'expired' : this.status;
  }

  settle(status: Exclude<ReservationStatus, 'held'>, at: Date) {
    this.status = status;
    this.settledAt = at;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('status') ? this.status : undefined;
  }
}
ReservationSchema.setClass(Reservation);
