import type { Column } from '../../parts/lists/column.ts';
import {
  customerColumn,
  moneyColumn,
  statusColumn,
  timeColumn,
  wordsColumn,
} from '../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { byCustomer, dayRange } from '../../parts/lists/conditions.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilteredList } from '../../parts/lists/filtered-list.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { Money } from '../../parts/texts/money.tsx';
import { DisputesDocument, type DisputesQuery } from './lists.generated.ts';

type Row = DisputesQuery['disputes']['nodes'][number];

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: ['inquiry', 'inquiry_closed', 'opened', 'under_review', 'won', 'lost', 'prevented'],
  },
  byCustomer,
  ...dayRange('openedAt', 'Opened'),
];

const columns: readonly Column<Row>[] = [
  {
    name: 'Amount',
    order: 'amount',
    cell: ({ amount, currency, payment, customer }) => (
      <RowLink to={`/payments/${payment.id}`} below={customer.name}>
        <Money amount={amount} currency={currency} />
      </RowLink>
    ),
  },
  statusColumn(),
  customerColumn(240),
  wordsColumn('Reason', 'reason', { from: 'md' }),
  moneyColumn('Fee', 'fee', { from: 'lg' }),
  timeColumn('Opened', 'openedAt', { from: 'sm' }),
  timeColumn('Evidence due', 'evidenceDueAt', { from: 'lg' }),
];

/** The objections of banks to payments. */
export const DisputesTab = ({ filters }: { readonly filters: Filters }) => (
  <FilteredList
    label="Disputes"
    filters={filters}
    choices={choices}
    document={DisputesDocument}
    select={({ disputes }) => disputes}
    kinds={['dispute']}
    order="created_at_desc"
    columns={columns}
    pathOf={({ payment }) => `/payments/${payment.id}`}
    empty={
      <Empty title="No disputes" filtered="No dispute matches these conditions.">
        Payments that a bank disputes appear here.
      </Empty>
    }
  />
);
