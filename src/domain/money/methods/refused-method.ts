import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { tokenHashOf } from './add-method.ts';
import type { HeardOutcome } from './payment-patience.ts';

/** A refusal of the payment method itself ends its automatic charges, until the method changes. */
export async function refuseMethod(
  { em, now }: Session,
  { paymentMethodId, failureKind }: Payment,
) {
  if (failureKind !== 'hard' && failureKind !== 'card_data') return;
  const method = await em.findOne(PaymentMethod, paymentMethodId ?? '');
  if (!method) return;
  method.refusalKind = failureKind;
  method.refusedAt = now;
}

/** A payment method that pays is charged automatically again, unless the customer has paid with another one. */
export async function acceptMethod(
  { em }: Session,
  { paymentMethodId }: Payment,
  chosen: HeardOutcome['method'],
) {
  const refused = { id: paymentMethodId ?? '', refusalKind: { $ne: null } };
  const method = await em.findOne(PaymentMethod, refused);
  if (!method) return;
  if (chosen && tokenHashOf(chosen.token) !== method.tokenHash) return;
  method.refusalKind = null;
  method.refusedAt = null;
}
