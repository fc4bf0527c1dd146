import { Group, Table } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordPage } from '../../parts/record-page.tsx';
import { Section } from '../../parts/section.tsx';
import { moneyText } from '../../parts/texts/formats.ts';
import { Money } from '../../parts/texts/money.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { CancelExpectedDialog, ReceiveDialog } from './expected-dialogs.tsx';
import { OneRemittanceDocument, type OneRemittanceQuery } from './remittance.generated.ts';
import { RemittanceAbout } from './remittance-about.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';

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
          {status === 'received' && (
            <PageButton
              does="reversePayment"
              variant="default"
              dialog={(onClose) => <ReverseDialog id={id} onClose={onClose} />}
            >
              Reverse
            </PageButton>
          )}
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
      <Table fz="sm" aria-label="Paid invoices">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Invoice</Table.Th>
            <Table.Th>Payment</Table.Th>
            <Table.Th ta="end" visibleFrom="xs">
              Added to the credit balance
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {payments.nodes.map(({ id, amount, creditedAmount, currency, status, invoice }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <PageLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</PageLink>{' '}
                <StatusBadge status={invoice.status} />
              </Table.Td>
              <Table.Td>
                <PageLink to={`/payments/${id}`}>
                  <Money amount={amount} currency={currency} />
                </PageLink>{' '}
                {status !== 'succeeded' && <StatusBadge status={status} />}
              </Table.Td>
              <Table.Td ta="end" visibleFrom="xs">
                <Money amount={creditedAmount} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

export { RemittancePage as Component };
