/** How much of a resource a subscription has, and has taken (specification, ResourceUsage). */
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
