import type { ReactNode } from 'react';
import { Facts } from '../../../parts/facts.tsx';
import { Section } from '../../../parts/section.tsx';
import { IdText } from '../../../parts/texts/id-text.tsx';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { PageLink } from '../../../parts/texts/small-texts.tsx';
import { collectionText } from '../invoice-texts.ts';
import type { OneConsolidatedInvoiceQuery } from './consolidated.generated.ts';

export type ConsolidatedInvoice = NonNullable<OneConsolidatedInvoiceQuery['consolidatedInvoice']>;

/** The customer, the dates and the sums of a consolidated invoice. */
export function ConsolidatedAbout({ document }: { readonly document: ConsolidatedInvoice }) {
  const { customer, currency, subtotal, taxAmount, invoiceDate, dueDate, scheduledFor } = document;
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Customer',
      <PageLink key="customer" to={`/customers/${customer.id}`}>
        {customer.name}
      </PageLink>,
    ],
    ['Subtotal', <Money key="subtotal" amount={subtotal} currency={currency} />],
    ['Tax', <Money key="tax" amount={taxAmount} currency={currency} />],
    ['Date', <Instant key="date" at={invoiceDate} />],
    ['Due on', <Instant key="due" at={dueDate} />],
    ['Billed at', <Instant key="billed" at={scheduledFor} />],
    ['Payment', collectionText(document.collectionMethod)],
    ['Id', <IdText key="id" id={document.id} />],
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}
