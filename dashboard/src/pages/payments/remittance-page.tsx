import { Group } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { moneyColumn } from '../../parts/lists/columns.tsx';
import { RowTable } from '../../parts/lists/row-table.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordPage } from '../../parts/record-page.tsx';
import { Section } from '../../parts/section.tsx';
import { moneyText } from '../../parts/texts/formats.ts';
import { PaymentLink } from '../../parts/texts/payment-link.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { CancelExpectedDialog, ReceiveDialog } from './expected-dialogs.tsx';
import { OneRemittanceDocument, type OneRemittanceQuery } from './remittance.generated.ts';
import { RemittanceAbout } from './remittance-about.tsx';
import { ReverseButton } from './reverse-button.tsx';

type Remittance = NonNullable<OneRemittanceQuery['remittance']>;

/** A receipt of money by hand, with the invoices that it paid. */
const RemittancePage = () => (
  <RecordPage
    document={OneRemittanceDocument}
    select={({ remittance }) => remittance}
    name="payment"
    kinds={['remittance', 'payment']}
  >
    {(remittance) => <Shown remittance={remittance} />}
  </RecordPage>
);

function Shown({ remittance }: { readonly remittance: Remittance }) {
  const { id, amount, currency, status, customer } = remittance;
  const title = moneyText(amount, currency);
  return (
    <Page
      title={`Payment by hand of ${title}`}
      above={[
        ['Payments by hand', '/payments?tab=remittances'],
        [customer.name, `/customers/${customer.id}`],
      ]}
      heading={
        <Group gap="sm">
          {title} <StatusBadge status={status} />
        </Group>
      }
      actions={
        <>
          {status === 'expected' && (
            <>
              <PageButton
                does="cancelExpectedPayment"
                variant="default"
                dialog={(onClose) => (
                  <CancelExpectedDialog expected={remittance} onClose={onClose} />
                )}
              >
                Cancel
              </PageButton>
              <PageButton
                does="recordPayment"
                dialog={(onClose) => <ReceiveDialog expected={remittance} onClose={onClose} />}
              >
                Receive
              </PageButton>
            </>
          )}
          {status === 'received' && <ReverseButton id={id} />}
        </>
      }
    >
      <RemittanceAbout remittance={remittance} />
      <Paid remittance={remittance} />
      <EventsTable where={{ object: { is: id } }} customerId={customer.id} height="300px" />
    </Page>
  );
}

function Paid({ remittance: { payments } }: { readonly remittance: Remittance }) {
  if (payments.nodes.length === 0) return null;
  return (
    <Section title="Paid invoices">
      <RowTable
        label="Paid invoices"
        hasHead
        rows={payments.nodes}
        columns={[
          {
            name: 'Invoice',
            cell: ({ invoice }) => (
              <>
                <PageLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</PageLink>{' '}
                <StatusBadge status={invoice.status} />
              </>
            ),
          },
          {
            name: 'Payment',
            cell: (payment) => (
              <>
                <PaymentLink payment={payment} currency={payment.currency} />{' '}
                {payment.status !== 'succeeded' && <StatusBadge status={payment.status} />}
              </>
            ),
          },
          moneyColumn('Added to the credit balance', 'creditedAmount', { from: 'xs' }),
        ]}
      />
    </Section>
  );
}

export { RemittancePage as Component };
