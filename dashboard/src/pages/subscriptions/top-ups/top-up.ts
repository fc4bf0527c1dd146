import type { SubscriptionTopUpsQuery } from './top-ups.generated.ts';

/** A rule that buys usage credits for a subscription. */
export type TopUp = NonNullable<SubscriptionTopUpsQuery['subscription']>['topUps']['nodes'][number];
