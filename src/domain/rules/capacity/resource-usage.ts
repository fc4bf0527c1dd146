/** The capacity of a subscription for one resource, and how much of it is claimed and reserved. */
export interface ResourceUsage {
  readonly subscriptionId: string;
  readonly resourceId: string;
  readonly resourceSlug: string;
  /** What the active features grant at this instant. */
  readonly capacity: number;
  /** Active claims. */
  readonly claimed: number;
  /** Held by reservations. */
  readonly reserved: number;
}

/** What can still be claimed; below zero when capacity was taken away from under claims. */
export const availableOf = ({ capacity, claimed, reserved }: ResourceUsage) =>
  capacity - claimed - reserved;
