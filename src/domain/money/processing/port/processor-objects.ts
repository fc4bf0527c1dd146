import type { DisputeStatus } from '#domain/model/money/dispute.ts';
import type { BillingDetails, PaymentMethodType } from '#domain/model/platform/payment-method.ts';
import type { ChargeOutcome } from './charge-types.ts';

/** A payment method as the processor knows it. */
export interface MethodDetails {
  /** The processor's reference of it; `PaymentMethod.token` stores it. */
  readonly token: string;
  readonly type: PaymentMethodType;
  /** The details that are shown, such as the brand, the last digits and the expiry of a card. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly billingDetails: BillingDetails | null;
  /** The processor's reference of the customer that it belongs to; null when it was detached. */
  readonly customerReference: string | null;
}

/** The record of a customer at the processor. */
export interface CustomerRecord {
  readonly idempotencyKey: string;
  readonly customerId: string;
  readonly name: string;
  readonly email: string;
  /** The processor's reference of it; null before it exists there. */
  readonly reference: string | null;
}

/** A request for a page of the processor, to which the customer's browser is redirected. */
export interface PageRequest {
  /** The same for every repetition: the processor opens one page. */
  readonly idempotencyKey: string;
  readonly customerReference: string;
  /** Where the customer returns to after completion. The address proves nothing: the caller reads the page. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An opened page of the processor. */
export interface HostedPage {
  readonly reference: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export type PageStatus = 'open' | 'completed' | 'expired';

/** The state of a page where a customer sets up a payment method. */
export interface SetupState {
  readonly status: PageStatus;
  /** The payment method of a completed page. */
  readonly method: MethodDetails | null;
}

/** The state of a page where a customer pays. */
export interface PaymentPageState {
  readonly status: PageStatus;
  /** The charge that the page has made; null before there is one. */
  readonly outcome: ChargeOutcome | null;
  readonly method: MethodDetails | null;
}

/** A dispute as the processor knows it. */
export interface DisputeState {
  readonly reference: string;
  /** The references of the payment that is disputed. */
  readonly paymentReference: string | null;
  readonly chargeReference: string | null;
  readonly status: DisputeStatus;
  /** The disputed amount, which may differ from the charge, in minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  /**
   * The amount that the dispute has withdrawn so far and not reinstated, by the processor's transactions; without fees.
   */
  readonly withdrawnAmount: number;
  /** The fee of the dispute, in minor units of `currency`. */
  readonly fee: number;
  readonly evidenceDueAt: Date | null;
  readonly openedAt: Date;
}

/**
 * A notice from outside: it names only the object to read, and nothing of its content is trusted. `paymentId` is the id
 * in the metadata of the object.
 */
export interface ProcessorNotice {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly object:
    | 'charge'
    | 'refund'
    | 'dispute'
    | 'setup'
    | 'payment_page'
    | 'method'
    | 'customer'
    | 'other';
  readonly reference: string;
  readonly paymentId: string | null;
  readonly livemode: boolean;
}

/** A charge in the list of the processor, for the reconciliation. */
export interface ProcessorCharge {
  readonly reference: string;
  readonly chargeReference: string | null;
  readonly paymentId: string | null;
  readonly status: ChargeOutcome['status'];
  readonly amount: number;
  readonly refundedAmount: number;
  readonly currency: string;
  readonly createdAt: Date;
}

/** A page of a list of the processor. */
export interface ListedEvents {
  readonly events: readonly ProcessorNotice[];
  readonly more: boolean;
}

export interface ListedCharges {
  readonly charges: readonly ProcessorCharge[];
  readonly more: boolean;
}
