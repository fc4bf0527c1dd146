import type { Session } from '#domain/kernel/session.ts';
import type {
  ChargeName,
  ChargeOutcome,
  ChargeRequest,
  RefundOutcome,
  RefundRequest,
  RefundState,
} from './charge-types.ts';
import type {
  CustomerRecord,
  DisputeState,
  HostedPage,
  ListedCharges,
  ListedEvents,
  MethodDetails,
  PageRequest,
  PaymentPageState,
  SetupState,
} from './processor-objects.ts';

/** Charges and refunds. */
interface ProcessorCharges {
  charge(session: Session, request: ChargeRequest): Promise<ChargeOutcome>;
  /** The state of a charge; undefined when the processor knows for certain that there has been none. */
  lookup(session: Session, name: ChargeName): Promise<ChargeOutcome | undefined>;
  /**
   * Cancels a charge while it is pending: a canceled charge never takes money. Returns the state of the charge
   * afterwards: `canceled`, also when it is repeated; `succeeded` or `failed` when it was too late; `processing` when
   * the processor cannot cancel it any more. Undefined when there is no such charge.
   */
  cancel(session: Session, name: ChargeName): Promise<ChargeOutcome | undefined>;
  refund(session: Session, request: RefundRequest): Promise<RefundOutcome>;
  /** The state of a refund that was requested; undefined when there has been none. */
  lookupRefund(session: Session, request: RefundRequest): Promise<RefundOutcome | undefined>;
}

/** Customers, payment methods, and the pages where customers enter them. */
interface ProcessorCustomers {
  /** Creates or updates the record of a customer and returns its reference. A deleted record is replaced. */
  saveCustomer(session: Session, record: CustomerRecord): Promise<string>;
  openSetup(session: Session, request: PageRequest): Promise<HostedPage>;
  readSetup(session: Session, reference: string): Promise<SetupState>;
  /** A page where the customer pays one charge with any payment method. */
  openPayment(
    session: Session,
    request: PageRequest & {
      readonly amount: number;
      readonly description: string;
      readonly charge: ChargeName;
    },
  ): Promise<HostedPage>;
  readPayment(session: Session, reference: string): Promise<PaymentPageState>;
  /** Expires an open page: nothing can be paid or set up on it any more. */
  closePage(session: Session, reference: string): Promise<void>;
  /** A payment method by its token; null for an unknown one. */
  readMethod(session: Session, token: string): Promise<MethodDetails | null>;
  detachMethod(session: Session, token: string): Promise<void>;
}

/** Reads for notices and for the reconciliation. */
interface ProcessorReads {
  readRefund(session: Session, reference: string): Promise<RefundState | undefined>;
  readDispute(session: Session, reference: string): Promise<DisputeState | undefined>;
  /** Whether a customer's record still exists. */
  hasCustomer(session: Session, reference: string): Promise<boolean>;
  /** The notices since an instant, the oldest first; `after` is the id of the last one that was read. */
  listEvents(
    session: Session,
    range: { readonly since: Date; readonly after: string | null },
  ): Promise<ListedEvents>;
  listCharges(
    session: Session,
    range: { readonly from: Date; readonly to: Date; readonly after: string | null },
  ): Promise<ListedCharges>;
}

/**
 * The service that moves money. An adapter knows nothing of billing: it takes plain requests and returns plain
 * outcomes. It executes each idempotency key once, so a caller that has lost the response looks the object up. Its
 * functions throw `ProcessorUnreachable` when the outcome is unknown, and `ProcessorMisconfigured` when the processor
 * refuses the service itself.
 */
export interface PaymentProcessor extends ProcessorCharges, ProcessorCustomers, ProcessorReads {}
