import { Alert, Group } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordPage } from '../../parts/record-page.tsx';
import { moneyText, wordsOf } from '../../parts/texts/formats.ts';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { PayDialog } from '../invoices/pay-dialog.tsx';
import { OnePaymentDocument, type OnePaymentQuery } from './payment.generated.ts';
import { PaymentAbout } from './payment-about.tsx';
import { Attempts } from './payment-attempts.tsx';
import { Disputes, Refunds } from './payment-returns.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { ReverseButton } from './reverse-button.tsx';

type Payment = NonNullable<OnePaymentQuery['payment']>;

/** A payment: how it went, its other attempts, its refunds and its disputes. */
const PaymentPage = () => (
  <RecordPage
    document={OnePaymentDocument}
    select={({ payment }) => payment}
    name="payment"
    kinds={['payment', 'refund', 'dispute', 'invoice', 'billing_run']}
  >
    {(payment) => <Shown payment={payment} />}
  </RecordPage>
);

function Shown({ payment }: { readonly payment: Payment }) {
  const { id, amount, currency, status, customer, invoice } = payment;
  const title = moneyText(amount, currency);
  const canRetry = ['failed', 'canceled'].includes(status) && invoice.status === 'open';
  return (
    <Page
      title={`Payment of ${title}`}
      above={[
        ['Payments', '/payments'],
        [customer.name, `/customers/${customer.id}`],
        [`Invoice ${invoice.invoiceNumber}`, `/invoices/${invoice.id}`],
      ]}
      heading={
        <Group gap="sm">
          {title} <StatusBadge status={status} />
          {payment.disputed && <StatusBadge status="disputed" />}
        </Group>
      }
      actions={
        <>
          {payment.isExternal && status === 'succeeded' && <ReverseButton id={id} />}
          {canRetry && (
            <PageButton
              does="payInvoice"
              dialog={(onClose) => (
                <PayDialog invoiceId={invoice.id} customerId={customer.id} onClose={onClose} />
              )}
            >
              Charge again
            </PageButton>
          )}
          {status === 'succeeded' && !payment.disputed && (
            <PageButton
              does="refundPayment"
              dialog={(onClose) => <RefundDialog payment={payment} onClose={onClose} />}
            >
              Refund
            </PageButton>
          )}
        </>
      }
    >
      <Trouble payment={payment} />
      <PaymentAbout payment={payment} />
      <Attempts payment={payment} />
      <Refunds payment={payment} />
      <Disputes payment={payment} />
      <EventsTable where={{ object: { is: id } }} customerId={customer.id} height="360px" />
    </Page>
  );
}

const consequences: Readonly<Record<string, string>> = {
  soft: 'The same payment method may succeed later. It is charged again after the pauses of dunning.',
  hard: 'The payment method will not succeed, and is not charged again. A new one is charged at once.',
  card_data:
    'The data of the card are wrong or outdated. Changed data or a new card are charged at once.',
  authentication: 'The customer must confirm the payment on its page.',
  configuration: 'The processor refused the request itself. The charge is repeated.',
};

/** Why a payment failed, and what follows. */
function Trouble({ payment }: { readonly payment: Payment }) {
  const { failureMessage, failureKind, failureCode, declineCode, adviceCode } = payment;
  if (!failureMessage && !failureKind) return null;
  const codes = [failureCode, declineCode, adviceCode, payment.networkDeclineCode];
  const given = [...new Set(codes.filter((code) => code !== null))];
  return (
    <Alert color="red" title={failureMessage ?? wordsOf(failureKind ?? 'failed')}>
      {failureKind && consequences[failureKind]}
      {given.length > 0 && ` Code: ${given.join(', ')}.`}
    </Alert>
  );
}

export { PaymentPage as Component };
