import { batched } from '#domain/kernel/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';

/** The page where the customer confirms the pending payment of an invoice; null when none waits for it. */
export async function actionUrlOfInvoice(session: Session, id: string): Promise<string | null> {
  const found = await batched(session, actionUrlOfInvoice, id, ({ em }, ids) =>
    waiting(em, { invoice: { $in: [...ids] } }, ({ invoiceId }) => invoiceId),
  );
  return found ?? null;
}

/** The same for a subscription: of its oldest invoice that waits. */
export async function actionUrlOfSubscription(
  session: Session,
  id: string,
): Promise<string | null> {
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
  return new Map(payments.map((payment) => [keyOf(payment), payment.actionUrl ?? null]));
}
