import { createHash } from 'node:crypto';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import {
  type BillingDetails,
  PaymentMethod,
  sealToken,
} from '#domain/model/platform/payment-method.ts';
import type { MethodDetails } from '#domain/money/processing/port/processor-objects.ts';
import type { ProcessorName } from '#domain/money/processing/processor-of.ts';
import { cardExpiry } from './card-expiry.ts';
import { makeDefault } from './make-default.ts';

/** SHA-256 of a processor's token, by which notices find a payment method. */
export const tokenHashOf = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

interface NewMethod extends Pick<MethodDetails, 'token' | 'type' | 'data'> {
  /** Those of the customer when null. */
  readonly billingDetails: BillingDetails | null;
  readonly metadata?: Record<string, unknown> | null;
  /** Whether it becomes the default. Otherwise the first one of a customer does, unless a checkout decides `later`. */
  readonly isDefault: boolean | 'later';
}

/** Adds a payment method to a locked customer. As the default it is charged for amounts owed. */
export async function addMethod(
  session: Session,
  customer: Customer,
  { processor, processorAccountId }: ProcessorName,
  { token, type, data, billingDetails, metadata = null, isDefault }: NewMethod,
): Promise<PaymentMethod> {
  const { em } = session;
  const others = { customer: customer.id, detachedAt: null };
  const isFirst = (await em.count(PaymentMethod, others)) === 0;
  const id = newId('pm');
  const method = em.create(PaymentMethod, {
    id,
    customer,
    type,
    token: sealToken(id, token),
    tokenHash: tokenHashOf(token),
    billingDetails: billingDetails ?? detailsOf(customer),
    paymentMethodData: { ...data },
    expiresOn: cardExpiry(data),
    metadata,
    processor,
    processorAccountId: processorAccountId ?? null,
  });
  await em.flush();
  if (isDefault !== 'later' && (isFirst || isDefault)) await makeDefault(session, method);
  return method;
}

const lines = {
  name: null,
  line1: null,
  line2: null,
  city: null,
  state: null,
  postal_code: null,
  country: null,
};

const detailsOf = ({ name, email }: Customer): BillingDetails => ({
  name,
  email,
  address: { ...lines, address: lines },
});
