import type { SubscriptionChargesQuery } from './one-off-charges.generated.ts';

/** A one-off charge of a subscription. */
export type OneOffCharge = NonNullable<
  SubscriptionChargesQuery['subscription']
>['oneOffCharges']['nodes'][number];
