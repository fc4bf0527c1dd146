import { Alert, Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { Facts } from '../../parts/facts.tsx';
import { moneyText, wordsOf } from '../../parts/formats.ts';
import { IdText } from '../../parts/id-text.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { EventsTable } from '../events/events-table.tsx';
import { OnePaymentDocument, type OnePaymentQuery } from './payment.generated.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';

type Payment = NonNullable<OnePaymentQuery['payment']>;

/** A payment: how it went, its refunds and its disputes. */
function PaymentPage() {
  const { id = '' } = useParams();
  const result = useLive(OnePaymentDocument, { id }, { kinds: ['payment', 'refund', 'dispute'] });
  return (
    <RecordOr result={result} record={result.data?.payment} name="payment">
      {(payment) => <Shown payment={payment} />}
    </RecordOr>
  );
}

function Shown({ payment }: { readonly payment: Payment }) {
  const [dialog, setDialog] = useState<'refund' | 'reverse'>();
  const close = () => setDialog(undefined);
  const { id, amount, currency, status, customer, failureMessage } = payment;
  const title = moneyText(amount, currency);
  return (
    <Page
      title={`Payment of ${title}`}
      above={[
        ['Payments', '/payments'],
        [customer.name, `/customers/${customer.id}`],
      ]}
      heading={
        <Group gap="sm">
          {title} <StatusBadge status={status} />
        </Group>
      }
      actions={
        <>
          {payment.isExternal && status === 'succeeded' && (
            <Button size="xs" variant="default" onClick={() => setDialog('reverse')}>
              Reverse
            </Button>
          )}
          <Button size="xs" disabled={status !== 'succeeded'} onClick={() => setDialog('refund')}>
            Refund
          </Button>
        </>
      }
    >
      {failureMessage && (
        <Alert color="red" title={wordsOf(payment.failureKind ?? 'failed')}>
          {failureMessage}
        </Alert>
      )}
      <About payment={payment} />
      <Refunds payment={payment} />
      <Disputes payment={payment} />
      <EventsTable where={{ object: { is: id } }} customerId={customer.id} height="360px" />
      {dialog === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {dialog === 'reverse' && <ReverseDialog id={id} onClose={close} />}
    </Page>
  );
}

function About({ payment }: { readonly payment: Payment }) {
  const { customer, invoice, currency, processorReference, settlementDate } = payment;
  return (
    <Section title="About">
      <Facts
        facts={[
          [
            'Customer',
            <Anchor key="customer" component={Link} to={`/customers/${customer.id}`} size="sm">
              {customer.name}
            </Anchor>,
          ],
          [
            'Invoice',
            <Anchor key="invoice" component={Link} to={`/invoices/${invoice.id}`} size="sm">
              {invoice.invoiceNumber}
            </Anchor>,
          ],
          ['Method', wordsOf(payment.paymentMethod)],
          ['Charged', <Instant key="charged" at={payment.chargeDate} />],
          ['Settled', <Instant key="settled" at={settlementDate} />],
          [
            'Refunded',
            <Money key="refunded" amount={payment.refundedAmount} currency={currency} />,
          ],
          ['Processor', wordsOf(payment.processor)],
          ...(processorReference ? ([['Its reference', processorReference]] as const) : []),
          ['Id', <IdText key="id" id={payment.id} />],
        ]}
      />
    </Section>
  );
}

function Refunds({ payment: { refundsPage, currency } }: { readonly payment: Payment }) {
  if (refundsPage.nodes.length === 0) return null;
  return (
    <Section title="Refunds">
      <Table fz="sm" aria-label="Refunds">
        <Table.Tbody>
          {refundsPage.nodes.map(({ id, amount, status, createdAt, failureMessage }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Money amount={amount} currency={currency} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={status} />
              </Table.Td>
              <Table.Td>{failureMessage}</Table.Td>
              <Table.Td ta="end">
                <Instant at={createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Disputes({ payment: { disputesPage, currency } }: { readonly payment: Payment }) {
  if (disputesPage.nodes.length === 0) return null;
  return (
    <Section title="Disputes">
      <Stack gap="sm">
        {disputesPage.nodes.map(({ id, amount, fee, status, reason, openedAt, evidenceDueAt }) => (
          <Group key={id} justify="space-between">
            <Group gap="xs">
              <Money amount={amount} currency={currency} />
              <StatusBadge status={status} />
              <Text size="sm">{reason && wordsOf(reason)}</Text>
            </Group>
            <Text size="sm" c="dimmed">
              Fee <Money amount={fee} currency={currency} />, opened <Instant at={openedAt} />
              {evidenceDueAt && (
                <>
                  , evidence due <Instant at={evidenceDueAt} />
                </>
              )}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

export { PaymentPage as Component };
