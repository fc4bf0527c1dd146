import { Text } from '@mantine/core';
import { useList } from '../../../live/use-list.ts';
import type { Column } from '../../../parts/lists/column.ts';
import { statusColumn } from '../../../parts/lists/columns.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Empty } from '../../../parts/lists/empty.tsx';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { MembersDocument, type MembersQuery } from './consolidated.generated.ts';
import type { ConsolidatedInvoice } from './consolidated-about.tsx';

type Row = MembersQuery['invoices']['nodes'][number];

const nameOf = ({ subscription }: Row) => subscription?.name ?? subscription?.id ?? '—';

/** A column with an amount of an invoice. */
const amount = (name: string, of: (row: Row) => number, from?: 'sm' | 'xl'): Column<Row> => ({
  name,
  isNumber: true,
  ...(from && { from }),
  cell: (row) => <Money amount={of(row)} currency={row.currency} size="sm" />,
});

const columns: readonly Column<Row>[] = [
  {
    name: 'Invoice',
    cell: (row) => (
      <RowLink to={`/invoices/${row.id}`} below={nameOf(row)} belowUntil="sm">
        {row.invoiceNumber}
      </RowLink>
    ),
  },
  {
    name: 'Subscription',
    from: 'sm',
    cell: (row) => (
      <Text size="sm" truncate maw={220} dir="auto">
        {nameOf(row)}
      </Text>
    ),
  },
  statusColumn(),
  amount('Tax', ({ taxAmount }) => taxAmount, 'xl'),
  amount('Total', ({ total }) => total),
  amount('Due', ({ amountDue }) => amountDue, 'sm'),
];

/** The invoices of a consolidated invoice, in the order of their numbers. */
export function Members({
  document: { id, customer },
}: {
  readonly document: ConsolidatedInvoice;
}) {
  const where = { consolidatedInvoice: { is: id } };
  const orderBy = 'created_at_asc' as const;
  const list = useList(MembersDocument, { where, orderBy }, ({ invoices }) => invoices, {
    kinds: ['invoice', 'payment', 'credit_note'],
    customerId: customer.id,
  });
  return (
    <Section title="Invoices">
      <DataTable
        label="Invoices of the document"
        list={list}
        columns={columns}
        height="480px"
        pathOf={({ id }) => `/invoices/${id}`}
        empty={<Empty title="No invoices">The document has no invoice.</Empty>}
      />
    </Section>
  );
}
