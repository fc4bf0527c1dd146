import {
  AboutSection,
  customerFact,
  idFact,
  moneyFact,
  timeFact,
} from '../../../parts/fact-kinds.tsx';
import { collectionText } from '../invoice-texts.ts';
import type { OneConsolidatedInvoiceQuery } from './consolidated.generated.ts';

export type ConsolidatedInvoice = NonNullable<OneConsolidatedInvoiceQuery['consolidatedInvoice']>;

/** The customer, the dates and the sums of a consolidated invoice. */
export function ConsolidatedAbout({ document }: { readonly document: ConsolidatedInvoice }) {
  const { currency } = document;
  return (
    <AboutSection
      facts={[
        customerFact(document.customer),
        moneyFact('Subtotal', document.subtotal, currency),
        moneyFact('Tax', document.taxAmount, currency),
        timeFact('Date', document.invoiceDate),
        timeFact('Due on', document.dueDate),
        timeFact('Billed at', document.scheduledFor),
        ['Payment', collectionText(document.collectionMethod)],
        idFact(document.id),
      ]}
    />
  );
}
