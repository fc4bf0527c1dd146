import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { OutsideLink } from '../../parts/texts/outside-link.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';
import { collectionText, purposeText } from './invoice-texts.ts';
import { PeriodText } from './period-text.tsx';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;
type Fact = readonly [string, ReactNode];

/** The parties, the dates and the purpose of an invoice. */
export function About({ invoice }: { readonly invoice: Invoice }) {
  const { customer, subscription, dueDate, memo, paymentActionUrl } = invoice;
  const { consolidatedInvoice: document } = invoice;
  const { billingPeriodStartDate: start, billingPeriodEndDate: end } = invoice;
  const facts: Fact[] = [
    [
      'Customer',
      <PageLink key="customer" to={`/customers/${customer.id}`}>
        {customer.name}
      </PageLink>,
    ],
  ];
  if (subscription) {
    facts.push([
      'Subscription',
      <PageLink key="subscription" to={`/subscriptions/${subscription.id}`}>
        {subscription.name ?? subscription.id}
      </PageLink>,
    ]);
  }
  if (document) {
    facts.push([
      'Part of',
      <PageLink key="document" to={`/invoices/consolidated/${document.id}`}>
        {document.invoiceNumber}
      </PageLink>,
    ]);
  }
  if (start && end) facts.push(['Period', <PeriodText key="period" start={start} end={end} />]);
  facts.push(['Date', <Instant key="date" at={invoice.invoiceDate} />]);
  if (dueDate) facts.push(['Due on', <Instant key="due" at={dueDate} />]);
  facts.push(
    ['Purpose', purposeText(invoice.purpose)],
    ['Payment', collectionText(invoice.collectionMethod)],
  );
  if (paymentActionUrl) {
    facts.push([
      'The customer confirms at',
      <OutsideLink key="page" href={paymentActionUrl}>
        the page of the payment
      </OutsideLink>,
    ]);
  }
  if (memo) facts.push(['Memo', memo]);
  facts.push(['Id', <IdText key="id" id={invoice.id} />]);
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}
