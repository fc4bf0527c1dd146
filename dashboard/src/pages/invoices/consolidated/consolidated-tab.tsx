import { Text } from '@mantine/core';
import {
  customerColumn,
  moneyColumn,
  statusColumn,
  timeColumn,
} from '../../../parts/lists/columns.tsx';
import type { FilterChoice } from '../../../parts/lists/conditions.ts';
import { byCurrency, byCustomer, contains, dayRange } from '../../../parts/lists/conditions.ts';
import type { ListColumn } from '../../../parts/lists/customer-list.ts';
import { Empty } from '../../../parts/lists/empty.tsx';
import { FilteredList } from '../../../parts/lists/filtered-list.tsx';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import type { Filters } from '../../../parts/lists/use-filters.ts';
import {
  ConsolidatedInvoicesDocument,
  type ConsolidatedInvoicesQuery,
} from './consolidated.generated.ts';

type Row = ConsolidatedInvoicesQuery['consolidatedInvoices']['nodes'][number];

const choices: readonly FilterChoice[] = [
  byCustomer,
  {
    name: 'method',
    label: 'Payment',
    values: ['charge_automatically', 'send_invoice'],
    of: 'collectionMethod',
  },
  byCurrency,
  ...dayRange('invoiceDate'),
];

const columns: readonly ListColumn<Row>[] = [
  {
    name: 'Number',
    order: 'invoice_number',
    cell: ({ id, invoiceNumber, customer }, isOfCustomer) => (
      <RowLink
        to={`/invoices/consolidated/${id}`}
        below={!isOfCustomer && customer.name}
        belowUntil="sm"
      >
        {invoiceNumber}
      </RowLink>
    ),
  },
  customerColumn(220, 'sm'),
  {
    name: 'Invoices',
    isNumber: true,
    from: 'md',
    cell: ({ invoices }) => <Text size="sm">{invoices.totalCount}</Text>,
  },
  statusColumn(),
  moneyColumn('Total', 'total'),
  moneyColumn('Due', 'amountDue', { from: 'md' }),
  timeColumn('Date', 'invoiceDate', { order: 'invoice_date', from: 'sm' }),
  timeColumn('Due on', 'dueDate', { from: 'lg' }),
];

interface Props {
  readonly filters: Filters;
  /** The customer whose documents these are; those of all when absent. */
  readonly customerId?: string;
}

/** The consolidated invoices. */
export const ConsolidatedTab = ({ filters, customerId }: Props) => (
  <FilteredList
    label="Consolidated invoices"
    filters={filters}
    choices={choices}
    search="Search by number"
    searchOf={(text) => ({ invoiceNumber: contains(text) })}
    document={ConsolidatedInvoicesDocument}
    select={({ consolidatedInvoices }) => consolidatedInvoices}
    kinds={['consolidated_invoice']}
    order="invoice_date_desc"
    columns={columns}
    customerId={customerId}
    pathOf={({ id }) => `/invoices/consolidated/${id}`}
    empty={
      <Empty
        title="No consolidated invoices"
        filtered="No consolidated invoice matches these conditions."
      >
        One is written when several subscriptions of a customer that consolidates are billed at one
        instant.
      </Empty>
    }
  />
);
