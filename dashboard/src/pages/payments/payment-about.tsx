import {
  AboutSection,
  customerFact,
  idFact,
  linkFact,
  moneyFact,
  outsideFact,
  subscriptionFact,
  timeFact,
} from '../../parts/fact-kinds.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { methodName } from '../../parts/texts/method-name.ts';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import type { OnePaymentQuery } from './payment.generated.ts';

type Payment = NonNullable<OnePaymentQuery['payment']>;

/** The parties, the method, the amounts and the references of a payment. */
export function PaymentAbout({ payment }: { readonly payment: Payment }) {
  const { customer, invoice, subscription, currency, method, remittance, chargedWith } = payment;
  const money = (name: string, amount: number) => amount !== 0 && moneyFact(name, amount, currency);
  return (
    <AboutSection
      facts={[
        customerFact(customer),
        [
          'Invoice',
          <span key="invoice">
            <PageLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</PageLink>{' '}
            <StatusBadge status={invoice.status} />
          </span>,
        ],
        subscription && subscriptionFact(subscription),
        ['Method', method ? methodName(method) : wordsOf(payment.paymentMethod)],
        timeFact(payment.isExternal ? 'Recorded' : 'Charged', payment.chargeDate),
        chargedWith &&
          linkFact('Part of the charge of', `/payments/${chargedWith.id}`, 'another payment'),
        money('Charge for several invoices', payment.chargeAmount ?? 0),
        timeFact('Settled', payment.settlementDate),
        money('Refunded', payment.refundedAmount),
        money('Added to the credit balance', payment.creditedAmount),
        money('Reversed', payment.reversedAmount),
        remittance
          ? linkFact(
              'Receipt of money',
              `/payments/remittances/${remittance.id}`,
              remittance.reference ?? remittance.id,
            )
          : ['Processor', wordsOf(payment.processor)],
        payment.processorReference && ['Reference of the processor', payment.processorReference],
        payment.chargeReference && ['Reference of the money', payment.chargeReference],
        outsideFact('Receipt', payment.receiptURL, payment.receiptNumber ?? 'PDF'),
        outsideFact('Receipt of the processor', payment.processorReceiptUrl, 'Open'),
        outsideFact('The customer confirms at', payment.actionUrl, 'the page of the payment'),
        idFact(payment.id),
      ]}
    />
  );
}
