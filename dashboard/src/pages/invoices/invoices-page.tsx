import { timeWhereOf } from '../../parts/day-range.ts';
import { FilterBar, type FilterChoice } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { InvoicesTable } from './invoices-table.tsx';

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: [
      'draft',
      'open',
      'awaiting_payment_confirmation',
      'paid',
      'partially_refunded',
      'refunded',
      'uncollectible',
      'void',
    ],
  },
  { name: 'overdue', label: 'Overdue', values: ['yes', 'no'] },
  { name: 'currency', label: 'Currency' },
  { name: 'from', label: 'From day' },
  { name: 'to', label: 'Before day' },
];

/** All invoices. */
function InvoicesPage() {
  const filters = useFilters();
  const search = filters.get('search');
  const status = filters.get('status');
  const overdue = filters.get('overdue');
  const currency = filters.get('currency');
  const invoiceDate = timeWhereOf(filters);
  const where = {
    ...(search && { search }),
    ...(status && { status: { is: status as 'open' } }),
    ...(overdue && { overdue: overdue === 'yes' }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(invoiceDate && { invoiceDate }),
  };
  return (
    <Page title="Invoices">
      <FilterBar filters={filters} choices={choices} search="Search by number or customer" />
      <InvoicesTable
        where={where}
        order={filters.get('order') ?? 'invoice_date_desc'}
        onOrder={(next) => filters.set('order', next)}
      />
    </Page>
  );
}

export { InvoicesPage as Component };
