import type { EntityManager } from '@mikro-orm/postgresql';
import { Invoice } from '#domain/invoices/invoice.ts';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { forEachDue, onlyPage } from '#domain/kernel/for-each-due.ts';
import type { Session } from '#domain/kernel/session.ts';
import { releaseRedemption } from '#domain/rules/catalog/redeem-discount.ts';
import { writeOffInvoice } from '#domain/rules/invoicing/write-off-invoice.ts';
import { CheckoutSession } from './checkout-session.ts';
import { continueCheckout } from './execute-checkout.ts';
import { withCheckout } from './lock-checkout.ts';

const most = 200;

/**
 * Continues checkout sessions of every tenant that are pending for a minute. Continues those, too, whose customer has
 * completed the processor's page without a return. Expires open ones at their time. Returns the number of sessions.
 */
export function checkCheckouts(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  const page = onlyPage(
    em,
    `from checkout_session due left join payment_method_setup p on p.id = due.setup_id
     where ((due.status = 'open' and (due.expires <= ? or p.status = 'completed'))
       or (due.status = 'pending' and due.updated_at <= ?)) and ${isServed('due.organization_id')}
     order by due.expires limit ${most}`,
    [now, new Date(now.getTime() - 60_000)],
  );
  return forEachDue({ em, now, causeId, onFailure }, { page }, async (session, { id }) => {
    const { status, expires } = await session.em.findOneOrFail(CheckoutSession, id);
    if (status === 'open' && expires <= now) await expireCheckout(session, id);
    else await continueCheckout(session, id);
  });
}

/** Expires an open session. Its purchase has failed, and its invoice is void. */
function expireCheckout(session: Session, id: string): Promise<void> {
  return withCheckout(session, id, async ({ session, checkout, present }) => {
    if (checkout.status !== 'open' || checkout.expires > present) return;
    checkout.status = 'expired';
    const purchase = await checkout.purchase?.loadOrFail();
    if (!purchase || purchase.purchaseDate) return;
    purchase.status = 'failed';
    const invoice = await session.em.findOne(Invoice, { purchaseId: purchase.id, status: 'open' });
    if (invoice) await writeOffInvoice(session, invoice, 'void');
    // The discount was not used, so it does not count against its limit.
    await releaseRedemption(session, { purchaseId: purchase.id });
  });
}
