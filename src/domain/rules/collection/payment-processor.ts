import type { Session } from '#domain/kernel/session.ts';

/** A request for a charge. */
export interface ChargeRequest {
  /** The same for every repetition of one attempt: the processor executes it once. */
  readonly idempotencyKey: string;
  /** Minor units of the currency, 1 or more. */
  readonly amount: number;
  readonly currency: string;
  /** The processor's reference of the payment method. */
  readonly token: string;
  /** The id of the payment method. */
  readonly paymentMethodId: string;
}

/** The status of a charge. */
export interface ChargeOutcome {
  readonly status: 'succeeded' | 'failed' | 'canceled' | 'processing' | 'requires_action';
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

export interface RefundRequest {
  readonly idempotencyKey: string;
  /** The key of the charge that is refunded. */
  readonly chargeKey: string;
  readonly amount: number;
}

/**
 * The service that moves money. It executes each idempotency key once and remembers it, so a caller that has lost the
 * response looks it up by that key. Its functions may throw when the processor cannot be reached.
 */
export interface PaymentProcessor {
  charge(session: Session, request: ChargeRequest): Promise<ChargeOutcome>;
  refund(session: Session, request: RefundRequest): Promise<'succeeded' | 'failed'>;
  /** The status of the charge with this key; undefined when there has been none. */
  lookup(session: Session, idempotencyKey: string): Promise<ChargeOutcome | undefined>;
  /**
   * Cancels the charge with this key while it is pending: a canceled charge never takes money. Returns the status of
   * the charge afterwards: `canceled`, also when it is repeated; `succeeded` or `failed` when it was too late.
   * Undefined when there is no charge with this key.
   */
  cancel(session: Session, idempotencyKey: string): Promise<ChargeOutcome | undefined>;
}
