import { batched } from '#domain/kernel/reads/batched.ts';
import { valueBeside } from '#domain/kernel/reads/read-by-id.ts';
import { readsBeside } from '#domain/kernel/reads/rows-by-key.ts';
import { openAddress } from '#domain/kernel/security/sealed-address.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** The page where the customer confirms the pending payment of an invoice; null when none waits for it. */
export async function actionUrlOfInvoice(session: Session, id: string): Promise<string | null> {
  const found = await batched(session, actionUrlOfInvoice, id, ({ em }, ids) =>
    waiting(em, { invoice: { $in: [...ids] } }, ({ invoiceId }) => invoiceId),
  );
  return found ?? null;
}

const beside = 'payment_action_url';

readsBeside(
  Subscription,
  beside,
  `select id || ' ' || action_url from payment where subscription_id = record.id
     and pricing_model_id = record.pricing_model_id and status = 'requires_action' and action_url is not null
   order by created_at, position limit 1`,
);

/** The same for a subscription: of its oldest invoice that waits. A read of the subscription by its id includes it. */
export async function actionUrlOfSubscription(
  session: Session,
  subscription: Subscription,
): Promise<string | null> {
  const { id } = subscription;
  const known = valueBeside(subscription, beside);
  if (known === null) return null;
  if (typeof known === 'string') {
    const [paymentId = '', sealed] = known.split(' ');
    return openAddress('payment', paymentId, sealed);
  }
  const found = await batched(session, actionUrlOfSubscription, id, ({ em }, ids) =>
    waiting(
      em,
      { subscriptionId: { $in: [...ids] } },
      ({ subscriptionId }) => subscriptionId ?? '',
    ),
  );
  return found ?? null;
}

async function waiting(em: Session['em'], of: object, keyOf: (payment: Payment) => string) {
  const payments = await em.find(
    Payment,
    { ...of, status: 'requires_action', actionUrl: { $ne: null } },
    { orderBy: { createdAt: 'desc', position: 'desc', id: 'asc' } },
  );
  return new Map(payments.map((payment) => [keyOf(payment), payment.actionPage()]));
}
