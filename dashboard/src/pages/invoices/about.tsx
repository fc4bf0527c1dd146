import {
  AboutSection,
  customerFact,
  idFact,
  linkFact,
  outsideFact,
  subscriptionFact,
  timeFact,
} from '../../parts/fact-kinds.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';
import { collectionText, purposeText } from './invoice-texts.ts';
import { PeriodText } from './period-text.tsx';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** The parties, the dates and the purpose of an invoice. */
export function About({ invoice }: { readonly invoice: Invoice }) {
  const { subscription, dueDate, memo, consolidatedInvoice: document } = invoice;
  const { billingPeriodStartDate: start, billingPeriodEndDate: end } = invoice;
  return (
    <AboutSection
      facts={[
        customerFact(invoice.customer),
        subscription && subscriptionFact(subscription),
        document &&
          linkFact('Part of', `/invoices/consolidated/${document.id}`, document.invoiceNumber),
        start && end && ['Period', <PeriodText key="period" start={start} end={end} />],
        timeFact('Date', invoice.invoiceDate),
        dueDate && timeFact('Due on', dueDate),
        ['Purpose', purposeText(invoice.purpose)],
        ['Payment', collectionText(invoice.collectionMethod)],
        outsideFact(
          'The customer confirms at',
          invoice.paymentActionUrl,
          'the page of the payment',
        ),
        memo && ['Memo', memo],
        idFact(invoice.id),
      ]}
    />
  );
}
