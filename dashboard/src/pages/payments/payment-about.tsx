import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { methodName } from '../../parts/texts/method-name.ts';
import { Money } from '../../parts/texts/money.tsx';
import { OutsideLink } from '../../parts/texts/outside-link.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import type { OnePaymentQuery } from './payment.generated.ts';

type Payment = NonNullable<OnePaymentQuery['payment']>;
type Fact = readonly [string, ReactNode];

/** The parties, the method, the amounts and the references of a payment. */
export function PaymentAbout({ payment }: { readonly payment: Payment }) {
  const { customer, invoice, subscription, currency, method, remittance } = payment;
  const link = (name: string, to: string, text: string): Fact => [
    name,
    <PageLink key={name} to={to}>
      {text}
    </PageLink>,
  ];
  const outside = (name: string, href: string | null, text: string): Fact[] =>
    href === null
      ? []
      : [
          [
            name,
            <OutsideLink key={name} href={href}>
              {text}
            </OutsideLink>,
          ],
        ];
  const money = (name: string, amount: number): Fact[] =>
    amount === 0 ? [] : [[name, <Money key={name} amount={amount} currency={currency} />]];
  const text = (name: string, value: string | null): Fact[] => (value ? [[name, value]] : []);
  const facts: Fact[] = [
    link('Customer', `/customers/${customer.id}`, customer.name),
    [
      'Invoice',
      <span key="invoice">
        <PageLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</PageLink>{' '}
        <StatusBadge status={invoice.status} />
      </span>,
    ],
    ...(subscription
      ? [
          link(
            'Subscription',
            `/subscriptions/${subscription.id}`,
            subscription.name ?? subscription.id,
          ),
        ]
      : []),
    ['Method', method ? methodName(method) : wordsOf(payment.paymentMethod)],
    [payment.isExternal ? 'Recorded' : 'Charged', <Instant key="at" at={payment.chargeDate} />],
    ...(payment.chargedWith
      ? [link('Part of the charge of', `/payments/${payment.chargedWith.id}`, 'another payment')]
      : []),
    ...money('Charge for several invoices', payment.chargeAmount ?? 0),
    ['Settled', <Instant key="settled" at={payment.settlementDate} />],
    ...money('Refunded', payment.refundedAmount),
    ...money('Added to the credit balance', payment.creditedAmount),
    ...money('Reversed', payment.reversedAmount),
    ...(remittance
      ? [
          link(
            'Receipt of money',
            `/payments/remittances/${remittance.id}`,
            remittance.reference ?? remittance.id,
          ),
        ]
      : [['Processor', wordsOf(payment.processor)] as const]),
    ...text('Reference of the processor', payment.processorReference),
    ...text('Reference of the money', payment.chargeReference),
    ...outside('Receipt', payment.receiptURL, payment.receiptNumber ?? 'PDF'),
    ...outside('Receipt of the processor', payment.processorReceiptUrl, 'Open'),
    ...outside('The customer confirms at', payment.actionUrl, 'the page of the payment'),
    ['Id', <IdText key="id" id={payment.id} />],
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}
