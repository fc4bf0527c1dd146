import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';

/** The reason why an activation fails whose subscription is over. */
export const subscriptionEnded = 'The subscription has ended';

/** Whether a checkout session is for the activation of a subscription that has ended. */
export async function hasEnded({ type, targetSubscription }: CheckoutSession): Promise<boolean> {
  if (type !== 'activate_subscription') return false;
  const target = await targetSubscription?.loadOrFail();
  return target?.isTerminal ?? false;
}
