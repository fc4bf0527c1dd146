import { Stack, Tabs } from '@mantine/core';
import { timeWhereOf } from '../../parts/day-range.ts';
import { FilterBar, type FilterChoice } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { type Filters, useFilters } from '../../parts/use-filters.ts';
import { SubscriptionsTable } from '../subscriptions/subscriptions-table.tsx';
import type { PaymentsQueryVariables } from './payments.generated.ts';
import { PaymentsTable } from './payments-table.tsx';

const tabs = [
  ['all', 'All'],
  ['failing', 'Failing'],
  ['refunds', 'Refunded'],
  ['disputes', 'Disputed'],
] as const;

const choices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: ['succeeded', 'failed', 'processing', 'requires_action', 'refunded', 'canceled'],
  },
  { name: 'currency', label: 'Currency' },
  { name: 'external', label: 'Recorded by hand', values: ['yes', 'no'] },
  { name: 'from', label: 'From day' },
  { name: 'to', label: 'Before day' },
];

/** All payments, and the subscriptions whose payments fail. */
function PaymentsPage() {
  const filters = useFilters();
  const tab = filters.get('tab') ?? 'all';
  const table = (
    <PaymentsTable
      where={whereOf(filters, tab)}
      order={filters.get('order') ?? 'charge_date_desc'}
      onOrder={(next) => filters.set('order', next)}
    />
  );
  return (
    <Page title="Payments">
      <Tabs
        value={tab}
        onChange={(next) => filters.set('tab', next === 'all' ? undefined : (next ?? undefined))}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name]) => (
          <Tabs.Panel key={name} value={name}>
            {name === 'failing' ? (
              <SubscriptionsTable
                where={{ status: { in: ['past_due', 'unpaid', 'incomplete'] } }}
              />
            ) : (
              <Stack gap="sm">
                <FilterBar filters={filters} choices={choices} />
                {table}
              </Stack>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function whereOf(filters: Filters, tab: string): NonNullable<PaymentsQueryVariables['where']> {
  const status = filters.get('status');
  const currency = filters.get('currency');
  const external = filters.get('external');
  const chargeDate = timeWhereOf(filters);
  return {
    ...(tab === 'refunds' && { refunded: true }),
    ...(tab === 'disputes' && { disputed: true }),
    ...(status && { status: { is: status as 'failed' } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(external && { external: external === 'yes' }),
    ...(chargeDate && { chargeDate }),
  };
}

export { PaymentsPage as Component };
