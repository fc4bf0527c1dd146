import { Stack, Text } from '@mantine/core';
import type { Column } from '../../parts/lists/column.ts';
import { statusColumn } from '../../parts/lists/columns.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { ListTable } from '../../parts/lists/list-table.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { moneyText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed, Remark } from '../../parts/texts/small-texts.tsx';
import {
  DunningDocument,
  type DunningQuery,
  type DunningQueryVariables,
} from './dunning.generated.ts';

type Row = DunningQuery['subscriptions']['nodes'][number];

const where: DunningQueryVariables['where'] = {
  status: { in: ['past_due', 'unpaid', 'incomplete'] },
};

const helps = {
  add_payment_method: 'A payment method',
  replace_payment_method: 'Another payment method',
  confirm_payment: 'A confirmation by the customer',
  pay_invoice: 'A payment of the invoice',
  await_payment: 'Patience: a payment is processed',
} as const;

const columns: readonly Column<Row>[] = [
  {
    name: 'Customer',
    cell: ({ id, customer, name }) => (
      <Stack gap={0}>
        <RowLink to={`/subscriptions/${id}`}>{customer.name}</RowLink>
        <Remark truncate maw={240} dir="auto">
          {name}
        </Remark>
      </Stack>
    ),
  },
  statusColumn(),
  {
    name: 'Owed',
    isNumber: true,
    cell: ({ invoices, currency }) => {
      const owed = invoices.nodes.reduce((sum, { amountDue }) => sum + amountDue, 0);
      const isMore = invoices.totalCount > invoices.nodes.length;
      return (
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {isMore && 'more than '}
          {moneyText(owed, currency)}
        </Text>
      );
    },
  },
  {
    name: 'Last attempt',
    from: 'md',
    cell: ({ payments: { nodes } }) =>
      nodes[0] ? (
        <Text size="sm" component="div">
          <Instant at={nodes[0].chargeDate} />
          <Remark truncate maw={240}>
            {nodes[0].failureMessage ??
              (nodes[0].status === 'requires_action' ? 'The customer must confirm it' : '')}
          </Remark>
        </Text>
      ) : (
        '—'
      ),
  },
  {
    name: 'Next attempt',
    from: 'sm',
    cell: ({ billingRuns: { nodes }, status }) =>
      nodes[0] ? (
        <Text size="sm" component="div">
          <Instant at={nodes[0].scheduledFor} />
          <Remark>Attempt {nodes[0].attemptNumber}</Remark>
        </Text>
      ) : (
        <Dimmed>{status === 'unpaid' ? 'None is left' : 'None is planned'}</Dimmed>
      ),
  },
  {
    name: 'What helps',
    from: 'lg',
    cell: ({ nextStep }) => <Text size="sm">{nextStep ? helps[nextStep] : '—'}</Text>,
  },
];

/** The subscriptions whose invoices are not paid, with what was tried and when it is tried again. */
export const DunnedSubscriptions = () => (
  <ListTable
    label="Subscriptions that are not paid"
    document={DunningDocument}
    select={({ subscriptions }) => subscriptions}
    kinds={['subscription', 'payment', 'invoice', 'billing_run']}
    where={where}
    usualOrder="created_at_desc"
    columns={columns}
    pathOf={({ id }) => `/subscriptions/${id}`}
    height="420px"
    empty={<Empty title="All subscriptions are paid">Nothing is retried.</Empty>}
  />
);
