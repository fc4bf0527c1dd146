import { Group, Select } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FilterBar, type FilterChoice } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { UsageMetersDocument } from './usage.generated.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsageEventsTable } from './usage-events-table.tsx';

const choices: readonly FilterChoice[] = [
  { name: 'customer', label: 'Id of the customer' },
  { name: 'subscription', label: 'Id of the subscription' },
  { name: 'transaction', label: 'Transaction id' },
  { name: 'voided', label: 'Void', values: ['yes', 'no'] },
  { name: 'from', label: 'From day' },
  { name: 'to', label: 'Before day' },
];

/** The usage of a meter: its course, and its single events. */
function UsagePage() {
  const filters = useFilters();
  const { data, error, reload } = useLive(UsageMetersDocument, {}, { kinds: ['usage_meter'] });
  const meters = data?.usageMeters.nodes ?? [];
  const meter = meters.find(({ id }) => id === filters.get('meter')) ?? meters[0];
  return (
    <Page
      title="Usage"
      actions={
        meters.length > 0 && (
          <Select
            size="xs"
            aria-label="Usage meter"
            data={meters.map(({ id, name, pricingModel }) => ({
              value: id,
              label: `${name} (${pricingModel.name})`,
            }))}
            value={meter?.id ?? null}
            onChange={(id) => filters.set('meter', id ?? undefined)}
            allowDeselect={false}
            searchable
          />
        )
      }
    >
      {error && !data && <Failure error={error} onRetry={reload} />}
      {data && !meter && (
        <Empty title="No usage meters">Add a usage meter to the catalog to measure usage.</Empty>
      )}
      {meter && (
        <>
          <UsageChart meter={meter.id} name={meter.name} filters={filters} />
          <Group>
            <FilterBar filters={filters} choices={choices} />
          </Group>
          <UsageEventsTable meter={meter.id} filters={filters} />
        </>
      )}
    </Page>
  );
}

export { UsagePage as Component };
