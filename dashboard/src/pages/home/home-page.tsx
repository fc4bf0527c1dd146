import { Grid, Group, SegmentedControl, Select } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { useNow } from '../../parts/use-now.ts';
import { HomeNumbersDocument } from './home.generated.ts';
import { MrrChart } from './mrr-chart.tsx';
import { Numbers } from './numbers.tsx';
import { ranges, spanOf } from './ranges.ts';
import { RevenueChart } from './revenue-chart.tsx';
import { Ticker } from './ticker.tsx';

const usual = ranges[1] as (typeof ranges)[number];

/** The state of the business: its numbers, their course, and the newest events. */
function HomePage() {
  const filters = useFilters();
  const range = ranges.find(({ name }) => name === filters.get('range')) ?? usual;
  const span = spanOf(range, useNow());
  const { data, error, reload } = useLive(
    HomeNumbersDocument,
    { ...span, interval: range.interval, revenueInterval: range.interval },
    { kinds: ['invoice', 'payment', 'refund', 'subscription', 'subscription_item'] },
  );
  const currencies = [...new Set(data?.revenue?.totals.map(({ currency }) => currency))];
  const own = data?.organization?.currency ?? 'USD';
  const wanted = filters.get('currency');
  const fallback = currencies.includes(own) ? own : (currencies[0] ?? own);
  const currency = wanted && currencies.includes(wanted) ? wanted : fallback;
  return (
    <Page
      title="Home"
      actions={
        <Group gap="xs">
          {currencies.length > 1 && (
            <Select
              size="xs"
              w={90}
              aria-label="Currency"
              data={currencies}
              value={currency}
              allowDeselect={false}
              onChange={(value) => filters.set('currency', value ?? undefined)}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label="Range"
            data={ranges.map(({ name, label }) => ({ value: name, label }))}
            value={range.name}
            onChange={(value) => filters.set('range', value)}
          />
        </Group>
      }
    >
      {error && !data && <Failure error={error} onRetry={reload} />}
      <Numbers data={data} currency={currency} span={span} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <RevenueChart
            buckets={data?.revenue?.buckets}
            currency={currency}
            interval={range.interval}
          />
          <MrrChart series={data?.mrr} currency={currency} interval={range.interval} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Ticker />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

export { HomePage as Component };
