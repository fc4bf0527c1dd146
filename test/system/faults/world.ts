import type { Session } from '#domain/kernel/session.ts';
import { aProduct, aUsageMeter } from '../../support/factories.ts';
import { aBusySubscription } from '../../support/seats.ts';
import type { World } from './clients.ts';

/** The records that the clients work on: a subscription with seats, one with usage, and two prices. */
export async function aWorld(session: Session, capacity: number): Promise<World> {
  const { subscriptionId, resourceSlug } = await aBusySubscription(session, capacity);
  const metered = await aBusySubscription(session, 1);
  const meter = await aUsageMeter(session);
  const slugs = ['cheap', 'dear'] as const;
  for (const [place, slug] of slugs.entries()) {
    await aProduct(session, { slug, price: { slug, unitPrice: (place + 1) * 1_000 } });
  }
  return {
    seatsSubscriptionId: subscriptionId,
    resourceSlug,
    capacity,
    meteredSubscriptionId: metered.subscriptionId,
    usageMeterSlug: meter.slug,
    priceSlugs: slugs,
  };
}
