import { Skeleton } from '@mantine/core';
import { MoneyBars } from '../../parts/charts/money-bars.tsx';
import { Section } from '../../parts/section.tsx';
import { bucketLabel } from '../../parts/texts/days.ts';
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
  return (
    <Section title="Revenue">
      {data ? (
        <MoneyBars
          h={240}
          data={data}
          series={series}
          currency={currency}
          most={Math.max(
            0,
            ...data.flatMap(({ invoiced, paid, refunded }) => [invoiced, paid, refunded]),
          )}
          radius={[2, 2, 0, 0]}
        />
      ) : (
        <Skeleton h={240} />
      )}
    </Section>
  );
}
