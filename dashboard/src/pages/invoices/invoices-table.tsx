import { Group } from '@mantine/core';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { customerColumn, moneyColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
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

const ofCustomer: Column<Row> = customerColumn(240);

const columns: readonly Column<Row>[] = [
  {
    name: 'Status',
    cell: ({ status, overdue }) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={status} />
        {overdue && (
          <Mark color="red" miw="max-content">
            Overdue
          </Mark>
        )}
      </Group>
    ),
  },
  moneyColumn('Total', 'total', { order: 'total' }),
  moneyColumn('Paid', 'amountPaid', { from: 'lg' }),
  moneyColumn('Due', 'amountDue', { from: 'md' }),
  timeColumn('Date', 'invoiceDate', { order: 'invoice_date', from: 'sm' }),
  timeColumn('Due on', 'dueDate', { order: 'due_date', from: 'lg' }),
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
