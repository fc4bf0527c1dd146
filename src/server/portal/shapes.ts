import type { CustomerTokenScope } from '#domain/kernel/access-scopes.ts';
import type { OptionalMailKind } from '#domain/model/mail/mail-kinds.ts';
import type { PrepaidOffer } from '#domain/model/platform/prepaid-offer.ts';
import type { Brand } from '../pages/brand.ts';
import type { ShownPricing } from '../pages/price-lines.ts';
import type { BankAccount, OrderedCredit, PrepaidCredit } from './credit-shapes.ts';
import type { Wording } from './texts/wording.ts';

/** A subscription as the portal reads it. Instants are milliseconds since 1970. */
export interface Subscription {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  readonly currency: string;
  readonly interval: string | null;
  readonly intervalCount: number | null;
  readonly currentBillingPeriodEnd: number | null;
  readonly trialEnd: number | null;
  readonly cancelScheduledAt: number | null;
  readonly pauseScheduledAt: number | null;
  readonly resumesAt: number | null;
  readonly isFreePlan: boolean;
  readonly renews: boolean;
  readonly nextStep: string | null;
  readonly paymentActionUrl: string | null;
  readonly scheduledAdjustmentAt: number | null;
  readonly price: { readonly id: string } | null;
  readonly pricedItems: readonly Item[];
}

export interface Item {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  /** Minor units for the quantity. */
  readonly amount: number;
  /** The same after the trial of the item. */
  readonly amountAfterTrial: number;
  /** The end of the trial of the item; null without one. */
  readonly trialEnd: number | null;
  readonly priceId: string | null;
}

export interface Method {
  readonly id: string;
  readonly type: string;
  readonly default: boolean;
  readonly paymentMethodData: Readonly<Record<string, unknown>>;
  readonly refusedAt: number | null;
}

export interface Invoice {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: number;
  readonly dueDate: number | null;
  readonly status: string;
  readonly currency: string;
  readonly total: number;
  readonly amountDue: number;
  readonly isBeingReplaced: boolean;
  readonly pdfURL: string | null;
  readonly receiptPdfURL: string | null;
  readonly eInvoice: { readonly ublURL: string | null; readonly facturxURL: string | null };
  /** The document that it is a member of. */
  readonly consolidatedInvoice: {
    readonly id: string;
    readonly invoiceNumber: string;
    readonly pdfURL: string;
    readonly receiptPdfURL: string | null;
  } | null;
}

/** One document for the invoices of several subscriptions. */
export interface Document {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: number;
  readonly dueDate: number;
  readonly status: string;
  readonly currency: string;
  readonly total: number;
  readonly amountDue: number;
  readonly pdfURL: string;
  readonly receiptPdfURL: string | null;
}

/** The usage of one meter in the present period. */
export interface Balance {
  readonly name: string;
  readonly used: number;
  readonly granted: number;
  readonly overage: number;
  readonly rolledOver: number;
  readonly runsOutAt: number | null;
}

/** The use of one resource, such as seats. */
export interface Capacity {
  readonly resource: { readonly name: string };
  readonly capacity: number;
  readonly claimed: number;
  readonly reserved: number;
}

/** A threshold that a value has reached, and from which it has not returned. */
export interface Crossing {
  readonly percentage: number;
  readonly subscription: {
    readonly id: string;
    readonly currentBillingPeriodEnd: number | null;
  };
  readonly billingPeriod: { readonly endDate: number } | null;
}

/** An alert or a limit on the usage of a customer. */
export interface Alert {
  readonly kind: string;
  readonly threshold: number;
  readonly percentages: readonly number[];
  readonly hardLimit: boolean;
  readonly name: string | null;
  readonly usageMeter: { readonly name: string } | null;
  /** Null for an alert on each subscription of the customer. */
  readonly subscription: { readonly id: string; readonly name: string | null } | null;
  /** The currency of the customer. */
  readonly currency: string;
  readonly crossings: { readonly nodes: readonly Crossing[] };
}

export interface Billing {
  readonly mayPause: boolean;
  /** The kinds of mails that the seller sends and that the customer may switch off. */
  readonly optionalMails: readonly OptionalMailKind[];
  readonly seller: Brand & { readonly bankAccount: BankAccount | null };
  readonly customer: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly currency: string | null;
    readonly creditBalance: number;
    readonly prepaidBalance: number;
    readonly collectionMethod: string;
    readonly livemode: boolean;
    /** The kinds of mails that are not sent to it. */
    readonly mailsOff: readonly OptionalMailKind[];
    readonly usageMeterBalances: readonly Balance[];
    readonly resourceUsages: readonly Capacity[];
  };
  readonly subscriptions: readonly Subscription[];
  readonly paymentMethods: readonly Method[];
  readonly alerts: readonly Alert[];
  /** The oldest first. */
  readonly prepaidCredits: readonly PrepaidCredit[];
  /** The prepaid credit that the customer may buy now. */
  readonly prepaidOffer: PrepaidOffer | null;
  /** The newest first. */
  readonly orders: readonly OrderedCredit[];
  readonly invoices: PageOf<Invoice>;
  readonly documents: PageOf<Document>;
  /** The open invoices, the oldest first. */
  readonly due: readonly DueInvoice[];
}

/** An open invoice, and what is due of it. */
export interface DueInvoice
  extends Pick<Invoice, 'id' | 'currency' | 'amountDue' | 'isBeingReplaced'> {
  /** The id of the document that it is a member of. */
  readonly consolidatedInvoiceId: string | null;
}

/** A page of a list, the newest first. */
export interface PageOf<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: PageInfo;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export interface Plan extends ShownPricing {
  readonly id: string;
  readonly name: string | null;
  /** Minor units for a quantity of 1. */
  readonly amount: number;
  readonly intervalUnit: string | null;
  readonly intervalCount: number | null;
  readonly product: {
    readonly name: string;
    readonly description: string | null;
    readonly default: boolean;
    readonly addOn: boolean;
  } | null;
}

export interface Preview {
  readonly canAdjust: boolean;
  readonly reason: string | null;
  readonly amountDue: number | null;
  readonly prorationAmount: number | null;
  readonly creditAmount: number | null;
  readonly currentPlanTotal: number | null;
  readonly newPlanTotal: number | null;
  readonly resolvedTiming: string | null;
  readonly effectiveDate: number | null;
  readonly paymentMethod: {
    readonly type: string;
    readonly brand: string | null;
    readonly last4: string | null;
  } | null;
}

/** The parts that every page of a session contains. */
export interface Forms {
  /** The path of the portal, for all sessions. */
  readonly root: string;
  /** The path of the pages of this session. */
  readonly base: string;
  /** Proves that a page of this session sent the form. */
  readonly token: string;
  readonly wording: Wording;
  /** Whether the pages are in a frame of another page. */
  readonly isFramed: boolean;
  /** Whether the session may do what needs a scope. */
  readonly may: (scope: CustomerTokenScope) => boolean;
}

/** Statuses in which a subscription is over. */
const ended = new Set(['canceled', 'incomplete_expired']);

export const isCurrent = ({ status }: Subscription) => !ended.has(status);
