import { Badge, Group, Text } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import {
  InvoicesDocument,
  type InvoicesQuery,
  type InvoicesQueryVariables,
} from './invoices.generated.ts';

type Row = InvoicesQuery['invoices']['nodes'][number];

interface Props {
  readonly where: InvoicesQueryVariables['where'];
  readonly order?: string;
  readonly onOrder?: (order: string) => void;
  /** The customer whose invoices these are; they then have no column for it. */
  readonly customerId?: string;
  readonly height?: string;
}

const number: Column<Row> = {
  name: 'Number',
  order: 'invoice_number',
  cell: ({ id, invoiceNumber }) => <RowLink to={`/invoices/${id}`}>{invoiceNumber}</RowLink>,
};

const numberOfCustomer: Column<Row> = {
  ...number,
  cell: ({ id, invoiceNumber, customer }) => (
    <RowLink to={`/invoices/${id}`} below={customer.name}>
      {invoiceNumber}
    </RowLink>
  ),
};

const ofCustomer: Column<Row> = {
  name: 'Customer',
  from: 'xs',
  cell: ({ customer }) => (
    <Text size="sm" truncate maw={240} dir="auto">
      {customer.name}
    </Text>
  ),
};

const columns: readonly Column<Row>[] = [
  {
    name: 'Status',
    cell: ({ status, overdue }) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={status} />
        {overdue && (
          <Badge color="red" variant="light" tt="none" radius="sm" miw="max-content">
            Overdue
          </Badge>
        )}
      </Group>
    ),
  },
  {
    name: 'Total',
    order: 'total',
    isNumber: true,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} size="sm" />,
  },
  {
    name: 'Paid',
    isNumber: true,
    from: 'lg',
    cell: ({ amountPaid, currency }) => <Money amount={amountPaid} currency={currency} size="sm" />,
  },
  {
    name: 'Due',
    isNumber: true,
    from: 'md',
    cell: ({ amountDue, currency }) => <Money amount={amountDue} currency={currency} size="sm" />,
  },
  {
    name: 'Date',
    order: 'invoice_date',
    from: 'sm',
    cell: ({ invoiceDate }) => <Instant at={invoiceDate} />,
  },
  {
    name: 'Due on',
    order: 'due_date',
    from: 'lg',
    cell: ({ dueDate }) => <Instant at={dueDate} />,
  },
];

/** Invoices that match conditions. */
export function InvoicesTable({ where, order, onOrder, customerId, height }: Props) {
  const orderBy = (order ?? 'invoice_date_desc') as 'invoice_date_desc';
  const list = useList(InvoicesDocument, { where, orderBy }, ({ invoices }) => invoices, {
    kinds: ['invoice', 'payment', 'credit_note'],
    customerId,
  });
  return (
    <DataTable
      label="Invoices"
      list={list}
      columns={customerId ? [number, ...columns] : [numberOfCustomer, ofCustomer, ...columns]}
      order={orderBy}
      {...(onOrder && { onOrder })}
      {...(height && { height })}
      pathOf={({ id }) => `/invoices/${id}`}
      empty={
        <Empty title="No invoices" filtered="No invoice matches these conditions.">
          Invoices appear here when they are written.
        </Empty>
      }
    />
  );
}
