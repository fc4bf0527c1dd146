import { Group } from '@mantine/core';
import { customerColumn, moneyColumn, timeColumn } from '../../parts/lists/columns.tsx';
import type { ListColumn } from '../../parts/lists/customer-list.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { ListTable, type Rows } from '../../parts/lists/list-table.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import {
  InvoicesDocument,
  type InvoicesQuery,
  type InvoicesQueryVariables,
} from './invoices.generated.ts';

type Row = InvoicesQuery['invoices']['nodes'][number];

const columns: readonly ListColumn<Row>[] = [
  {
    name: 'Number',
    order: 'invoice_number',
    cell: ({ id, invoiceNumber, customer }, isOfCustomer) => (
      <RowLink to={`/invoices/${id}`} below={!isOfCustomer && customer.name}>
        {invoiceNumber}
      </RowLink>
    ),
  },
  customerColumn(200),
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
export const InvoicesTable = (props: Rows<InvoicesQueryVariables['where']>) => (
  <ListTable
    label="Invoices"
    document={InvoicesDocument}
    select={({ invoices }) => invoices}
    kinds={['invoice', 'payment', 'credit_note']}
    usualOrder="invoice_date_desc"
    columns={columns}
    pathOf={({ id }) => `/invoices/${id}`}
    empty={
      <Empty title="No invoices" filtered="No invoice matches these conditions.">
        Invoices appear here when they are written.
      </Empty>
    }
    {...props}
  />
);
