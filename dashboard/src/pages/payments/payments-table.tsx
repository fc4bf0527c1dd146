import { type BadgeProps, Group } from '@mantine/core';
import { customerColumn, textColumn, timeColumn, wordsColumn } from '../../parts/lists/columns.tsx';
import type { ListColumn } from '../../parts/lists/customer-list.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { ListTable, type Rows } from '../../parts/lists/list-table.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import {
  PaymentsDocument,
  type PaymentsQuery,
  type PaymentsQueryVariables,
} from './payments.generated.ts';

type Row = PaymentsQuery['payments']['nodes'][number];

const columns: readonly ListColumn<Row>[] = [
  {
    name: 'Amount',
    order: 'amount',
    cell: ({ id, amount, currency, customer }, isOfCustomer) => (
      <RowLink to={`/payments/${id}`} below={!isOfCustomer && customer.name}>
        <Money amount={amount} currency={currency} />
      </RowLink>
    ),
  },
  {
    name: 'Status',
    cell: ({ status, disputed, refundedAmount, amount }) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={status} />
        {disputed && <Warning>Disputed</Warning>}
        {refundedAmount > 0 && refundedAmount < amount && <Warning>Refunded in part</Warning>}
      </Group>
    ),
  },
  customerColumn(240),
  wordsColumn('Method', 'paymentMethod', { from: 'md' }),
  textColumn('Reason', 'failureMessage', { from: 'lg', maw: 260, c: 'dimmed' }),
  timeColumn('Date', 'chargeDate', { order: 'charge_date', from: 'sm' }),
];

const Warning = (props: BadgeProps) => <Mark color="orange" miw="max-content" {...props} />;

/** Payments that match conditions. */
export const PaymentsTable = (props: Rows<PaymentsQueryVariables['where']>) => (
  <ListTable
    label="Payments"
    document={PaymentsDocument}
    select={({ payments }) => payments}
    kinds={['payment', 'refund', 'dispute']}
    usualOrder="charge_date_desc"
    columns={columns}
    pathOf={({ id }) => `/payments/${id}`}
    empty={
      <Empty title="No payments" filtered="No payment matches these conditions.">
        Payments appear here when they are attempted.
      </Empty>
    }
    {...props}
  />
);
