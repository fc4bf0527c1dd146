import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { type DueRow, dueSweep } from '#domain/kernel/for-each-due.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { continueCheckout } from './execute-checkout.ts';
import { giveUpOrder } from './give-up-order.ts';
import { withCheckout } from './lock-checkout.ts';

const pageSize = 200;

interface Due extends DueRow {
  readonly expires: string;
}

/**
 * Continues checkout sessions of every tenant that are pending for a minute. Continues those, too, whose customer has
 * completed the processor's page without a return. Expires open ones at their time. Returns the number of sessions.
 */
export const checkCheckouts = dueSweep<Due>(
  (em, now) => ({ page: (last) => duePage(em, now, last), pageSize }),
  async (session, { id }) => {
    const { status, expires } = await session.em.findOneOrFail(CheckoutSession, id);
    if (status === 'open' && expires <= session.now) await expireCheckout(session, id);
    else await continueCheckout(session, id);
  },
);

/** The sessions that are due, after the last one of the page before: some cannot continue for now, and must not hide those after them. */
const duePage = (em: EntityManager, now: Date, last: Due | undefined) =>
  em.execute<Due[]>(
    `select due.id, due.organization_id as "organizationId", due.pricing_model_id as "pricingModelId", due.livemode,
         due.expires::text
       from checkout_session due left join payment_method_setup p on p.id = due.setup_id
       where ((due.status = 'open' and (due.expires <= ? or p.status = 'completed'))
         or (due.status = 'pending' and due.updated_at <= ?)) and ${isServed('due.organization_id')}
         and (due.expires, due.id) > (?::timestamptz, ?)
       order by due.expires, due.id limit ${pageSize}`,
    [now, new Date(now.getTime() - 60_000), last?.expires ?? '-infinity', last?.id ?? ''],
  );

/** Expires an open session. Its purchase has failed, and its invoice is void. */
function expireCheckout(session: Session, id: string): Promise<void> {
  return withCheckout(session, id, async ({ session, checkout, present }) => {
    if (checkout.status !== 'open' || checkout.expires > present) return;
    checkout.status = 'expired';
    const purchase = await checkout.purchase?.loadOrFail();
    if (!purchase || purchase.purchaseDate) return;
    await giveUpOrder(session, purchase);
  });
}
