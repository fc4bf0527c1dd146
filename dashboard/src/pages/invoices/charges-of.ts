import type { ConsolidatedInvoice } from './consolidated/consolidated-about.tsx';

type Payment = ConsolidatedInvoice['invoices']['nodes'][number]['paymentsPage']['nodes'][number];

/** A charge of the payment processor for invoices of a document. */
export interface Charge
  extends Pick<Payment, 'status' | 'chargeDate' | 'paymentMethod' | 'failureMessage'> {
  /** The payment that the processor knows, or the first part of its charge. */
  readonly id: string;
  readonly amount: number;
  readonly refundedAmount: number;
  /** The invoices that it pays, in words. */
  readonly pays: string;
}

/** The charges for the invoices of a document, the newest first: payments of one charge are one. */
export function chargesOf({ invoices }: ConsolidatedInvoice): Charge[] {
  const parts = invoices.nodes.flatMap(({ invoiceNumber, paymentsPage }) =>
    paymentsPage.nodes.map((payment) => ({ invoiceNumber, payment })),
  );
  // The parts of a charge for more invoices than were read are not counted.
  const isWhole = invoices.totalCount === invoices.nodes.length;
  const textOf = ([number = '', ...others]: readonly string[]) =>
    others.length === 0
      ? `for ${number}`
      : `one charge for ${isWhole ? others.length + 1 : 'several'} invoices`;
  const charges = Map.groupBy(parts, ({ payment }) => payment.chargedWith?.id ?? payment.id);
  return [...charges]
    .flatMap(([id, parts]) => {
      const lead = (parts.find(({ payment }) => payment.id === id) ?? parts[0])?.payment;
      if (!lead) return [];
      const sumOf = (of: (payment: Payment) => number) =>
        parts.reduce((sum, { payment }) => sum + of(payment), 0);
      const { status, chargeDate, paymentMethod, failureMessage } = lead;
      return {
        ...{ id, status, chargeDate, paymentMethod, failureMessage },
        amount: lead.chargeAmount ?? sumOf(({ amount }) => amount),
        refundedAmount: sumOf(({ refundedAmount }) => refundedAmount),
        pays: textOf(parts.map(({ invoiceNumber }) => invoiceNumber)),
      };
    })
    .sort((a, b) => b.chargeDate - a.chargeDate);
}
