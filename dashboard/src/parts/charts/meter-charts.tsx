import { BarChart, LineChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import { bucketLabel, dayText } from '../texts/days.ts';
import { numberText } from '../texts/formats.ts';
import { Remark } from '../texts/small-texts.tsx';
import { numberAxis, timeAxis } from './axis.ts';
import type { DayOfBalance, DayOfUsage } from './run-out.ts';

const height = 130;

/** The usage of a meter on each day. */
export function DailyUsage({ days }: { readonly days: readonly DayOfUsage[] }) {
  const data = days.map(({ start, usage }) => ({ label: bucketLabel(start, 'day'), usage }));
  return (
    <Box>
      <Title>Use in 30 days</Title>
      <BarChart
        h={height}
        data={data}
        dataKey="label"
        series={[{ name: 'usage', label: 'Used', color: 'toll.7' }]}
        gridAxis="none"
        tickLine="none"
        valueFormatter={numberText}
        yAxisProps={numberAxis(Math.max(0, ...days.map(({ usage }) => usage)))}
        xAxisProps={timeAxis}
        barProps={{ isAnimationActive: false, radius: [2, 2, 0, 0] }}
      />
    </Box>
  );
}

interface AheadProps {
  readonly days: readonly DayOfBalance[];
  readonly periodEnd: number | null;
}

/** The balance of a meter on the days to come, at the present rate of use. */
export function BalanceAhead({ days, periodEnd }: AheadProps) {
  const data = days.map(({ start, balance }) => ({ label: dayText(start), balance }));
  const end = periodEnd === null ? undefined : dayText(periodEnd);
  return (
    <Box>
      <Title>Balance at this rate</Title>
      <LineChart
        h={height}
        data={data}
        dataKey="label"
        series={[{ name: 'balance', label: 'Left', color: 'blue.6', strokeDasharray: '5 4' }]}
        curveType="linear"
        withDots={false}
        gridAxis="none"
        tickLine="none"
        valueFormatter={(value) => numberText(Math.round(value))}
        yAxisProps={numberAxis(Math.max(0, ...days.map(({ balance }) => balance)))}
        xAxisProps={timeAxis}
        lineProps={{ isAnimationActive: false }}
        {...(end && {
          referenceLines: [{ x: end, label: 'Period ends', color: 'gray.6' }],
        })}
      />
    </Box>
  );
}

const Title = ({ children }: { readonly children: string }) => <Remark mb={4}>{children}</Remark>;
