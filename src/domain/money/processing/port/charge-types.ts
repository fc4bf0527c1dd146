import type { refundStatuses } from '#domain/model/money/refund.ts';
import type { FailureKind } from '#domain/model/platform/failure-kinds.ts';

/** The names under which the processor finds a charge. */
export interface ChargeName {
  /** The same for every repetition of one attempt: the processor executes it once. */
  readonly idempotencyKey: string;
  /** The processor's reference of the charge; null when none was stored. */
  readonly reference: string | null;
  readonly customerReference: string | null;
  /** When the attempt began. A processor forgets keys after some time. */
  readonly begunAt: Date;
  /**
   * The data that the processor stores with the charge; only values of the database, so that a repetition is identical.
   */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A request for a charge. */
export interface ChargeRequest extends ChargeName {
  /** Minor units of the currency, 1 or more. */
  readonly amount: number;
  readonly currency: string;
  /** The processor's reference of the payment method. */
  readonly token: string;
  /** The id of the payment method. */
  readonly paymentMethodId: string;
  readonly paymentMethodType: string;
  /** False while the customer is present and can confirm. */
  readonly offSession: boolean;
  readonly description: string;
  /** Stores the processor's reference in a transaction of its own; is awaited before any money can move. */
  onReference(reference: string): Promise<void>;
}

/** The state of a charge, as it is read back from the processor. */
export interface ChargeOutcome {
  readonly status: 'succeeded' | 'failed' | 'canceled' | 'processing' | 'requires_action';
  readonly reference: string | null;
  /** The reference of the movement of money itself, where the processor has two objects. */
  readonly chargeReference: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly declineCode: string | null;
  readonly adviceCode: string | null;
  readonly networkDeclineCode: string | null;
  /** Null unless the charge has failed. */
  readonly failureKind: FailureKind | null;
  /** The processor's page where the customer confirms the payment. */
  readonly actionUrl: string | null;
  readonly receiptUrl: string | null;
  /** The shown details of the payment method that was charged. */
  readonly methodData: Readonly<Record<string, unknown>> | null;
  readonly amount: number;
  readonly currency: string;
}

export interface RefundRequest {
  readonly idempotencyKey: string;
  /** The processor's reference of the refund; null when none was stored. */
  readonly reference: string | null;
  /** The key and the references of the charge that is refunded. */
  readonly chargeKey: string;
  readonly paymentReference: string | null;
  readonly chargeReference: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly begunAt: Date;
  readonly metadata: Readonly<Record<string, string>>;
  /** Stores the processor's reference in a transaction of its own. */
  onReference(reference: string): Promise<void>;
}

export interface RefundOutcome {
  readonly status: (typeof refundStatuses)[number];
  readonly reference: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

/** A refund as the processor knows it, also one that it started by itself. */
export interface RefundState extends RefundOutcome {
  readonly reference: string;
  readonly paymentReference: string | null;
  readonly chargeReference: string | null;
  /** The id of our refund in its metadata. */
  readonly refundId: string | null;
  readonly amount: number;
  readonly currency: string;
}
