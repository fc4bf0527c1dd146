import type { Session } from '#domain/kernel/session.ts';
import type { ChargeRequest } from '#domain/money/processing/port/charge-types.ts';

/** A request for a charge of 1.00 USD in the sandbox. */
export const aChargeRequest = (
  { now }: Pick<Session, 'now'>,
  request: Partial<ChargeRequest> = {},
): ChargeRequest => ({
  idempotencyKey: crypto.randomUUID(),
  reference: null,
  customerReference: null,
  begunAt: now,
  metadata: {},
  amount: 100,
  currency: 'USD',
  token: 'sandbox_success',
  paymentMethodId: 'pm_none',
  paymentMethodType: 'card',
  offSession: true,
  description: 'A charge',
  onReference: async () => {},
  ...request,
});
