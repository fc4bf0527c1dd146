import type { Session } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import type { CollectionMethod } from '#domain/model/platform/collection-methods.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { nextInvoiceNumber } from './number-invoice.ts';

/** The terms that all members of a document have in common. */
interface Common {
  readonly currency: string;
  readonly collectionMethod: CollectionMethod;
  readonly dueDate: Date;
}

/** A document to which new invoices are added in one transaction. */
export interface Consolidation {
  /** Adds a member. Returns the document, which the first member writes, and the number of the member. */
  join(common: Common): { readonly document: ConsolidatedInvoice; readonly invoiceNumber: string };
}

/** Starts a document of a locked customer for runs of one instant. It has one number, and its members 1, 2 and so on. */
export function consolidate(
  { em, now }: Session,
  customer: Customer,
  scheduledFor: Date,
): Consolidation {
  let document: ConsolidatedInvoice | undefined;
  let count = 0;
  return {
    join(common) {
      const number = document?.invoiceNumber ?? nextInvoiceNumber(customer);
      const heading = {
        customer,
        invoiceNumber: number,
        invoiceDate: now,
        scheduledFor,
        ...common,
      };
      document ??= em.create(ConsolidatedInvoice, heading);
      count += 1;
      return { document, invoiceNumber: `${number}-${count}` };
    },
  };
}
