import { AreaChart } from '@mantine/charts';
import { Box, Skeleton } from '@mantine/core';
import { moneyAxis, timeAxis } from '../../parts/charts/axis.ts';
import { Section } from '../../parts/section.tsx';
import { bucketLabel } from '../../parts/texts/days.ts';
import { moneyText } from '../../parts/texts/formats.ts';
import type { HomeNumbersQuery } from './home.generated.ts';

interface Props {
  readonly series: HomeNumbersQuery['mrr'] | undefined;
  readonly currency: string;
  readonly interval: 'day' | 'week' | 'month';
}

/** The monthly recurring revenue over time. */
export function MrrChart({ series, currency, interval }: Props) {
  const points = series?.find((each) => each.currency === currency)?.points ?? [];
  const data = points.map(({ start, mrrAtEnd }) => ({
    mrr: mrrAtEnd,
    label: bucketLabel(start, interval),
  }));
  return (
    <Box mt="md">
      <Section title="Monthly recurring revenue">
        {series ? (
          <AreaChart
            h={200}
            data={data}
            dataKey="label"
            series={[{ name: 'mrr', label: 'MRR', color: 'toll.7' }]}
            curveType="monotone"
            withDots={false}
            tickLine="none"
            gridAxis="x"
            valueFormatter={(amount) => moneyText(Math.round(amount), currency)}
            yAxisProps={moneyAxis(Math.max(0, ...data.map(({ mrr }) => mrr)), currency)}
            xAxisProps={timeAxis}
            areaProps={{ isAnimationActive: false }}
          />
        ) : (
          <Skeleton h={200} />
        )}
      </Section>
    </Box>
  );
}
