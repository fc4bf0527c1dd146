/** The statuses of a subscription. */
export const subscriptionStatuses = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'cancellation_scheduled',
  'incomplete',
  'incomplete_expired',
  'canceled',
  'paused',
  'credit_trial',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The statuses in which a subscription grants access. */
export const currentStatuses = [
  'active',
  'past_due',
  'trialing',
  'cancellation_scheduled',
  'unpaid',
  'credit_trial',
] as const satisfies readonly SubscriptionStatus[];

/** The statuses in which a subscription takes the place of the one that a customer may have. */
export const standingStatuses = [
  ...currentStatuses,
  'paused',
] as const satisfies readonly SubscriptionStatus[];

/** The current statuses without trials: the customer pays in them. */
export const payingStatuses = [
  'active',
  'past_due',
  'cancellation_scheduled',
  'unpaid',
] as const satisfies readonly SubscriptionStatus[];

/** In these a subscription never changes again. */
export const terminalStatuses = [
  'canceled',
  'incomplete_expired',
] as const satisfies readonly SubscriptionStatus[];
