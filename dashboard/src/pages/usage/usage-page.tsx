import { Select, Stack } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import type { FilterChoice } from '../../parts/lists/conditions.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { type Filters, useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
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
            <PageButton
              does="recordUsageEvent"
              variant="default"
              dialog={(onClose) => <RecordDialog meter={meter} onClose={onClose} />}
            >
              Record usage
            </PageButton>
            <PageButton
              does="grantUsageCredits"
              dialog={(onClose) => <GrantCreditsDialog onClose={onClose} />}
            >
              Grant credits
            </PageButton>
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
  return (
    <PageTabs
      value={filters.get('tab')}
      onChange={(tab) => filters.set('tab', tab)}
      tabs={[
        [
          'events',
          'Usage',
          () => (
            <Stack>
              <FilterBar filters={filters} choices={ofEvents} />
              <UsageChart meter={meter.id} name={meter.name} filters={filters} />
              <UsageEventsTable meter={meter.id} filters={filters} />
            </Stack>
          ),
        ],
        [
          'credits',
          'Credits',
          () => (
            <Stack>
              <FilterBar filters={filters} choices={ofCredits} />
              <CreditsTable meter={meter.id} filters={filters} />
            </Stack>
          ),
        ],
      ]}
    />
  );
}

export { UsagePage as Component };
