import type { Session } from '#domain/kernel/session.ts';

/** A charge as it is asked for. */
export interface ChargeRequest {
  /** The same for every repetition of one try: the processor carries it out once. */
  readonly idempotencyKey: string;
  /** Minor units of the currency, 1 or more. */
  readonly amount: number;
  readonly currency: string;
  /** What the processor knows the payment method by. */
  readonly token: string;
  /** Which payment method it is. */
  readonly paymentMethodId: string;
}

/** How a charge stands. */
export interface ChargeOutcome {
  readonly status: 'succeeded' | 'failed' | 'canceled' | 'processing' | 'requires_action';
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

export interface RefundRequest {
  readonly idempotencyKey: string;
  /** The key of the charge that money is taken back from. */
  readonly chargeKey: string;
  readonly amount: number;
}

/**
 * Whoever moves the money. It carries out each idempotency key once and remembers it; whoever has lost an
 * answer asks for it by that key. Its functions may throw when the processor cannot be reached.
 */
export interface PaymentProcessor {
  charge(session: Session, request: ChargeRequest): Promise<ChargeOutcome>;
  refund(session: Session, request: RefundRequest): Promise<'succeeded' | 'failed'>;
  /** How the charge with this key stands; undefined when there has been none. */
  lookup(session: Session, idempotencyKey: string): Promise<ChargeOutcome | undefined>;
  /**
   * Cancels the charge with this key while it is under way: a canceled charge never takes money. Answers how
   * the charge stands afterwards: `canceled`, also when it is repeated; `succeeded` or `failed` when it was too
   * late; undefined when there is no charge with this key.
   */
  cancel(session: Session, idempotencyKey: string): Promise<ChargeOutcome | undefined>;
}
