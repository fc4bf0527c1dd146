import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { OutsideLink } from '../../parts/texts/outside-link.tsx';
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
      <Anchor key="customer" component={Link} to={`/customers/${customer.id}`} size="sm">
        {customer.name}
      </Anchor>,
    ],
  ];
  if (subscription) {
    facts.push([
      'Subscription',
      <Anchor
        key="subscription"
        component={Link}
        to={`/subscriptions/${subscription.id}`}
        size="sm"
      >
        {subscription.name ?? subscription.id}
      </Anchor>,
    ]);
  }
  if (document) {
    facts.push([
      'Part of',
      <Anchor
        key="document"
        component={Link}
        to={`/invoices/consolidated/${document.id}`}
        size="sm"
      >
        {document.invoiceNumber}
      </Anchor>,
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
