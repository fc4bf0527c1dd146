/** The capacity of a subscription for one resource, and how much of it is claimed and reserved. */
export interface ResourceUsage {
  readonly subscriptionId: string;
  readonly resourceId: string;
  readonly resourceSlug: string;
  /** The capacity that the active features grant at this instant. */
  readonly capacity: number;
  /** Active claims. */
  readonly claimed: number;
  /** Reserved units. */
  readonly reserved: number;
}

/** The units that can still be claimed; below 0 when the capacity has become smaller than the claims. */
export const availableOf = ({ capacity, claimed, reserved }: ResourceUsage) =>
  capacity - claimed - reserved;
