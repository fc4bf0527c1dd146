/** Prepaid credit of which something remains. */
export interface PrepaidCredit {
  readonly source: string;
  readonly currency: string;
  readonly amount: number;
  readonly remaining: number;
  readonly priority: number;
  /** Null for credit that does not expire. */
  readonly expiresAt: number | null;
}

/** Prepaid credit whose invoice is not paid yet. */
export interface OrderedCredit {
  readonly id: string;
  readonly status: string;
  readonly source: string;
  readonly boughtByCustomer: boolean;
  readonly currency: string;
  readonly amount: number;
  readonly invoice: {
    readonly id: string;
    readonly invoiceNumber: string;
    readonly status: string;
    readonly collectionMethod: string;
    readonly currency: string;
    readonly amountDue: number;
    readonly dueDate: number | null;
    readonly pdfURL: string | null;
    /** The page where the customer confirms the payment. */
    readonly paymentActionUrl: string | null;
  } | null;
}

/** The bank account of the seller, for transfers. */
export interface BankAccount {
  readonly holder: string | null;
  readonly iban: string;
  readonly bic: string | null;
}
