import { Select, Stack, Tabs } from '@mantine/core';
import { CommandButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { type Filters, useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { CreditsTable } from './credits-table.tsx';
import { GrantCreditsDialog } from './grant-credits-dialog.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { UsageMetersDocument } from './usage.generated.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsageEventsTable } from './usage-events-table.tsx';

const whose: readonly FilterChoice[] = [
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'subscription', label: 'Id of the subscription' },
];
const ofEvents: readonly FilterChoice[] = [
  ...whose,
  { name: 'property', label: 'Property, such as region: eu' },
  { name: 'transaction', label: 'Transaction id' },
  { name: 'voided', label: 'Void', values: ['yes', 'no'] },
  { name: 'from', label: 'From day', kind: 'day' },
  { name: 'to', label: 'Before day', kind: 'day' },
];
const ofCredits: readonly FilterChoice[] = [
  ...whose,
  { name: 'source', label: 'Source', values: ['feature', 'add_feature', 'manual'] },
  { name: 'remaining', label: 'Something remains', values: ['yes', 'no'] },
];

/** The usage of a meter: its course, its single events, and the credits for it. */
function UsagePage() {
  const filters = useFilters();
  const { data, error, reload } = useLive(UsageMetersDocument, {}, { kinds: ['usage_meter'] });

  const meters = data?.usageMeters.nodes ?? [];
  const meter = meters.find(({ id }) => id === filters.get('meter')) ?? meters[0];
  return (
    <Page
      title="Usage"
      actions={
        meter && (
          <>
            <Select
              size="xs"
              aria-label="Usage meter"
              data={meters.map(({ id, name }) => ({ value: id, label: name }))}
              value={meter.id}
              onChange={(id) => filters.set('meter', id ?? undefined)}
              allowDeselect={false}
              searchable
            />
            <CommandButton
              does="recordUsageEvent"
              size="xs"
              variant="default"
              dialog={(onClose) => <RecordDialog meter={meter} onClose={onClose} />}
            >
              Record usage
            </CommandButton>
            <CommandButton
              does="grantUsageCredits"
              size="xs"
              dialog={(onClose) => <GrantCreditsDialog onClose={onClose} />}
            >
              Grant credits
            </CommandButton>
          </>
        )
      }
    >
      {error && !data && <Failure error={error} onRetry={reload} />}
      {data && !meter && (
        <Empty title="No usage meters">Add a usage meter to the catalog to measure usage.</Empty>
      )}
      {meter && <Shown meter={meter} filters={filters} />}
    </Page>
  );
}

interface Props {
  readonly meter: { readonly id: string; readonly name: string };
  readonly filters: Filters;
}

function Shown({ meter, filters }: Props) {
  const tab = filters.get('tab') ?? 'events';
  return (
    <Tabs
      value={tab}
      onChange={(next) => filters.set('tab', next === 'events' ? undefined : (next ?? undefined))}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="events">Usage</Tabs.Tab>
        <Tabs.Tab value="credits">Credits</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="events">
        <Stack>
          <FilterBar filters={filters} choices={ofEvents} />
          <UsageChart meter={meter.id} name={meter.name} filters={filters} />
          <UsageEventsTable meter={meter.id} filters={filters} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="credits">
        <Stack>
          <FilterBar filters={filters} choices={ofCredits} />
          <CreditsTable meter={meter.id} filters={filters} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

export { UsagePage as Component };
