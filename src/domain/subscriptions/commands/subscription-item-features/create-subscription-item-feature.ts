import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Feature } from '#domain/model/catalog/feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockFeatures } from '#domain/subscriptions/entitlement/sync-product-features.ts';
import type { CreateSubscriptionItemFeatureInput } from './subscription-item-feature-input.ts';

type Grant = CreateSubscriptionItemFeatureInput['subscriptionItemFeature'];

/**
 * Grants a feature to one subscription item, besides those of its product. Errors: BAD_REQUEST for references that
 * are unknown, do not belong together, or have ended; and when the item has the feature already.
 */
export function createSubscriptionItemFeature(
  session: Session,
  { subscriptionItemFeature: input }: CreateSubscriptionItemFeatureInput,
): Promise<SubscriptionItemFeature> {
  return command(session, async (session) => {
    const { em } = session;
    const item = await em.findOne(SubscriptionItem, input.subscriptionItemId);
    if (!item)
      throw refused(
        'NOT_FOUND',
        'subscriptionItemId',
        `Unknown subscription item ${input.subscriptionItemId}`,
      );
    const { subscription, ...locked } = await lockSubscription(session, item.subscriptionId);
    if (subscription.isTerminal || item.isExpired(locked.session.now)) {
      throw refused('INVALID_STATE', 'subscriptionItemId', 'has ended');
    }
    const [feature] = await lockFeatures(session, [input.featureId]);
    checkFeature(input, feature);
    await checkProductFeature(session, input, item);
    return em.create(SubscriptionItemFeature, {
      subscriptionItem: item,
      feature: input.featureId,
      productFeature: input.productFeatureId ?? null,
      type: input.type,
      amount: input.amount ?? null,
      usageMeterId: input.usageMeterId ?? null,
      renewalFrequency: input.renewalFrequency ?? null,
      per: feature?.per ?? null,
      resourceId: input.resourceId ?? null,
      manuallyCreated: input.manuallyCreated ?? false,
      expiredAt: input.expiredAt ?? null,
      detachedAt: input.detachedAt ?? null,
      detachedReason: input.detachedReason ?? null,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
    });
  });
}

function checkFeature(input: Grant, feature: Feature | undefined) {
  if (!feature) throw refused('NOT_FOUND', 'featureId', `Unknown feature ${input.featureId}`);
  if (!feature.active) throw refused('ARCHIVED', 'featureId', `${feature.id} is not active`);
  if (feature.type !== input.type)
    throw refused('MISMATCH', 'type', `must be ${feature.type}, the type of the feature`);
  for (const path of ['usageMeterId', 'resourceId'] as const) {
    if ((input[path] ?? null) !== feature[path]) {
      throw refused('MISMATCH', path, `must be ${feature[path]}, the value of the feature`);
    }
  }
}

async function checkProductFeature({ em }: Session, input: Grant, item: SubscriptionItem) {
  if (input.productFeatureId == null) return;
  const grant = await em.findOne(ProductFeature, input.productFeatureId);
  if (!grant)
    throw refused(
      'NOT_FOUND',
      'productFeatureId',
      `Unknown product feature ${input.productFeatureId}`,
    );
  if (grant.featureId !== input.featureId) {
    throw refused(
      'MISMATCH',
      'productFeatureId',
      `grants ${grant.featureId}, not ${input.featureId}`,
    );
  }
  const price = await item.price?.loadOrFail();
  if (price?.productId !== grant.productId) {
    throw refused(
      'MISMATCH',
      'productFeatureId',
      `belongs to ${grant.productId}, which is not the product of the item`,
    );
  }
}

const refused = (code: IssueCode, path: string, message: string) =>
  invalid(code, `subscriptionItemFeature.${path}`, message);
