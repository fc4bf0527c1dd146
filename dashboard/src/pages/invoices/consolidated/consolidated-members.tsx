import { Text } from '@mantine/core';
import type { Column } from '../../../parts/lists/column.ts';
import { statusColumn } from '../../../parts/lists/columns.tsx';
import { Empty } from '../../../parts/lists/empty.tsx';
import { ListTable } from '../../../parts/lists/list-table.tsx';
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

interface Props {
  readonly document: ConsolidatedInvoice;
}

/** The invoices of a consolidated invoice, in the order of their numbers. */
export const Members = ({ document: { id, customer } }: Props) => (
  <Section title="Invoices">
    <ListTable
      label="Invoices of the document"
      document={MembersDocument}
      select={({ invoices }) => invoices}
      kinds={['invoice', 'payment', 'credit_note']}
      where={{ consolidatedInvoice: { is: id } }}
      customerId={customer.id}
      usualOrder="created_at_asc"
      columns={columns}
      height="480px"
      pathOf={({ id }) => `/invoices/${id}`}
      empty={<Empty title="No invoices">The document has no invoice.</Empty>}
    />
  </Section>
);
