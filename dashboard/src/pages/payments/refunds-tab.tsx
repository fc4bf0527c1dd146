import type { Column } from '../../parts/lists/column.ts';
import {
  customerColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { amountRange, byCurrency, byCustomer, dayRange } from '../../parts/lists/conditions.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilteredList } from '../../parts/lists/filtered-list.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { Money } from '../../parts/texts/money.tsx';
import { RefundsDocument, type RefundsQuery } from './lists.generated.ts';

type Row = RefundsQuery['refunds']['nodes'][number];

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'],
  },
  byCustomer,
  { name: 'origin', label: 'Made at', values: ['service', 'processor'] },
  {
    ...byCurrency,
    // A refund has the currency of its payment: any amount in it matches.
    of: 'amount',
    condition: (value) => ({ currency: value.toUpperCase(), min: 0 }),
  },
  ...amountRange('amount', 'Amount'),
  ...dayRange('createdAt'),
];

const columns: readonly Column<Row>[] = [
  {
    name: 'Amount',
    order: 'amount',
    cell: ({ amount, payment, customer }) => (
      <RowLink to={`/payments/${payment.id}`} below={customer.name}>
        <Money amount={amount} currency={payment.currency} />
      </RowLink>
    ),
  },
  statusColumn(),
  customerColumn(240),
  {
    name: 'Of a payment of',
    isNumber: true,
    from: 'md',
    cell: ({ payment }) => <Money amount={payment.amount} currency={payment.currency} size="sm" />,
  },
  {
    name: 'Credit note',
    from: 'lg',
    cell: ({ creditNote }) =>
      creditNote && (
        <RowLink to={`/invoices/credit-notes/${creditNote.id}`}>
          {creditNote.creditNoteNumber}
        </RowLink>
      ),
  },
  textColumn('Failure', 'failureMessage', { from: 'lg', maw: 220, c: 'dimmed' }),
  timeColumn('Date', 'createdAt', { order: 'created_at', from: 'sm' }),
];

/** The refunds of all payments. */
export const RefundsTab = ({ filters }: { readonly filters: Filters }) => (
  <FilteredList
    label="Refunds"
    filters={filters}
    choices={choices}
    document={RefundsDocument}
    select={({ refunds }) => refunds}
    kinds={['refund']}
    order="created_at_desc"
    columns={columns}
    pathOf={({ payment }) => `/payments/${payment.id}`}
    empty={
      <Empty title="No refunds" filtered="No refund matches these conditions.">
        Refunds of payments appear here.
      </Empty>
    }
  />
);
