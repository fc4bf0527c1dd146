import { FilterBar, type FilterChoice } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: [
      'active',
      'trialing',
      'past_due',
      'unpaid',
      'incomplete',
      'cancellation_scheduled',
      'canceled',
      'incomplete_expired',
    ],
  },
  { name: 'plan', label: 'Plan name' },
  { name: 'interval', label: 'Interval', values: ['day', 'week', 'month', 'year'] },
  { name: 'currency', label: 'Currency' },
  { name: 'free', label: 'Free plan', values: ['yes', 'no'] },
];

/** All subscriptions. Free plans are left out unless they are asked for. */
function SubscriptionsPage() {
  const filters = useFilters();
  const status = filters.get('status');
  const plan = filters.get('plan');
  const interval = filters.get('interval');
  const currency = filters.get('currency');
  const free = filters.get('free');
  const where = {
    isFreePlan: free === 'yes',
    ...(status && { status: { is: status as 'active' } }),
    ...(plan && { name: { contains: plan } }),
    ...(interval && { interval: { is: interval as 'month' } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
  };
  return (
    <Page title="Subscriptions">
      <FilterBar filters={filters} choices={choices} />
      <SubscriptionsTable
        where={where}
        order={filters.get('order') ?? 'created_at_desc'}
        onOrder={(next) => filters.set('order', next)}
      />
    </Page>
  );
}

export { SubscriptionsPage as Component };
