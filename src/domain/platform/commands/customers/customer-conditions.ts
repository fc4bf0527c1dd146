import { relatedChoiceOf } from '#domain/kernel/lists/where.ts';
import type { SubscriptionStatus } from '#domain/model/subscriptions/subscription-statuses.ts';

/** Customers with a subscription in one of these statuses. */
export const withSubscription = relatedChoiceOf<SubscriptionStatus>(
  (alias, statuses) =>
    `${alias}.id in (select owned.customer_id from subscription owned
      where owned.pricing_model_id = ${alias}.pricing_model_id and owned.status in ${statuses})`,
);
