import { BarChart } from '@mantine/charts';
import { Skeleton } from '@mantine/core';
import { digitsOf, moneyText, shortMoneyText } from '../../parts/formats.ts';
import { Section } from '../../parts/section.tsx';
import { bucketLabel } from './bucket-label.ts';
import type { Bucket } from './sums.ts';

interface Props {
  readonly buckets: readonly Bucket[] | undefined;
  readonly currency: string;
  readonly interval: 'day' | 'week' | 'month';
}

const series = [
  { name: 'invoiced', label: 'Invoiced', color: 'blue.6' },
  { name: 'paid', label: 'Paid', color: 'toll.7' },
  { name: 'refunded', label: 'Refunded', color: 'orange.6' },
];

/** Invoiced, paid and refunded amounts over time. */
export function RevenueChart({ buckets, currency, interval }: Props) {
  const data = buckets
    ?.filter((bucket) => bucket.currency === currency)
    .map(({ start, ...amounts }) => ({ ...amounts, label: bucketLabel(start, interval) }));
  const step = 10 ** digitsOf(currency);
  return (
    <Section title="Revenue">
      {data ? (
        <BarChart
          h={240}
          data={data}
          dataKey="label"
          series={series}
          withLegend
          tickLine="none"
          gridAxis="x"
          valueFormatter={(amount) => moneyText(Math.round(amount), currency)}
          yAxisProps={{
            width: 64,
            allowDecimals: false,
            domain: [0, (most: number) => Math.max(most, step)],
            tickFormatter: (amount: number) => shortMoneyText(amount, currency),
          }}
          barProps={{ isAnimationActive: false, radius: [2, 2, 0, 0] }}
        />
      ) : (
        <Skeleton h={240} />
      )}
    </Section>
  );
}
