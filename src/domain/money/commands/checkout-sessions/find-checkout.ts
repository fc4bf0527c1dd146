import type { EntityManager } from '@mikro-orm/postgresql';
import { checkoutActor } from '#domain/kernel/checkout-actor.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { isCheckoutKey } from '#domain/platform/reads/checkout-link.ts';

/** A checkout session for its page, with a session of its tenant. */
export interface FoundCheckout {
  readonly session: Session;
  readonly checkout: CheckoutSession;
}

/** Finds a checkout session by its id and key. A caller that knows both may use its page. */
export async function findCheckout(
  em: EntityManager,
  {
    id,
    key,
    now,
    onFailure,
  }: {
    readonly id: string;
    readonly key: string;
    readonly now: Date;
    readonly onFailure: OnFailure;
  },
): Promise<FoundCheckout | null> {
  const found = await em.fork().findOne(CheckoutSession, { id }, { filters: { tenant: false } });
  if (!found) return null;
  const { organizationId, livemode, pricingModelId } = found;
  const tenant = { organizationId, livemode, pricingModelId, keyType: 'secret' } as const;
  const clock = { latest: now };
  const session = openSession(em, { ...tenant, now, clock, actor: checkoutActor, onFailure });
  if (!(await isCheckoutKey(session, id, key))) return null;
  return { session, checkout: await session.em.findOneOrFail(CheckoutSession, id) };
}
