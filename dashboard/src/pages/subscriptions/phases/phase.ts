import type { SubscriptionPhasesQuery } from './phases.generated.ts';

/** A phase of a subscription. */
export type Phase = NonNullable<SubscriptionPhasesQuery['subscription']>['phases']['nodes'][number];
