import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { detachFeatures } from '#domain/subscriptions/entitlement/detach-features.ts';
import { lockFeaturesAlone } from '#domain/subscriptions/entitlement/sync-product-features.ts';

export const expireProductFeatureInput = z.object({ id: z.string() });

/** Ends a grant of a product now; an ended one stays as it was. Errors: NOT_FOUND. */
export function expireProductFeature(
  session: Session,
  { id }: z.output<typeof expireProductFeatureInput>,
) {
  return command(session, async (session) => {
    const { em, now } = session;
    const grant = await em.findOneOrFail(ProductFeature, id);
    await lockFeaturesAlone(session, [grant.featureId]);
    await em.refresh(grant);
    grant.expire(now);
    await detachFeatures(session, [grant]);
    return grant;
  });
}
