import { BarChart } from '@mantine/charts';
import { Group, Select, Skeleton, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { numberAxis, timeAxis } from '../../parts/charts/axis.ts';
import { Failure } from '../../parts/failure.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import { Section } from '../../parts/section.tsx';
import { bucketLabel } from '../../parts/texts/days.ts';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { useNow } from '../../parts/use-now.ts';
import { PropertyInput } from './property-input.tsx';
import { UsageCourseDocument, type UsageCourseQueryVariables } from './usage.generated.ts';
import { spanOf, usageRanges } from './usage-range.ts';

const colors = ['toll.7', 'blue.6', 'orange.6', 'grape.6', 'cyan.7', 'pink.6', 'gray.6'];

interface Props {
  readonly meter: string;
  readonly name: string;
  readonly filters: Filters;
}

/** The usage of a meter over time, as a whole or by the values of a property. */
export function UsageChart({ meter, name, filters }: Props) {
  const { name: range, from, to, interval, intervals } = spanOf(filters, useNow());
  const groupBy = filters.get('by');
  const customer = filters.get('customer');
  const subscription = filters.get('subscription');
  return (
    <Section
      title={name}
      actions={
        <>
          <PropertyInput
            meter={meter}
            value={groupBy ?? ''}
            onChange={(value) => filters.set('by', value)}
          />
          <Select
            size="xs"
            w={96}
            aria-label="Interval"
            data={intervals.map((value) => ({ value, label: wordsOf(value) }))}
            value={interval}
            onChange={(value) => filters.set('interval', value ?? undefined)}
            allowDeselect={false}
          />
          {range && (
            <Select
              size="xs"
              w={110}
              aria-label="Range"
              data={usageRanges.map(({ name, label }) => ({ value: name, label }))}
              value={range}
              onChange={(value) => filters.set('range', value ?? undefined)}
              allowDeselect={false}
            />
          )}
        </>
      }
    >
      <Course
        variables={{
          meter,
          from,
          to,
          interval,
          ...(customer && { customer }),
          ...(subscription && { subscription }),
          ...(groupBy && { groupBy }),
        }}
      />
    </Section>
  );
}

function Course({ variables }: { readonly variables: UsageCourseQueryVariables }) {
  const { data, error, reload } = useLive(UsageCourseDocument, variables, {
    kinds: ['usage_event'],
  });
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  if (!data) return <Skeleton h={290} />;
  const series = data.usageOverTime.map(({ value, isOthers }, place) => ({
    name: `s${place}`,
    label: isOthers ? 'Others' : (value ?? (variables.groupBy ? 'Without it' : 'Usage')),
    color: colors[place % colors.length] ?? 'gray.6',
  }));
  const rows = (data.usageOverTime[0]?.points ?? []).map(({ start }, at) => ({
    label: bucketLabel(start, variables.interval),
    ...Object.fromEntries(
      data.usageOverTime.map(({ points }, place) => [`s${place}`, points[at]?.usage ?? 0]),
    ),
  }));
  const most = Math.max(
    0,
    ...rows.map(({ label: _, ...values }) =>
      Object.values(values as Record<string, number>).reduce((sum, value) => sum + value, 0),
    ),
  );
  const points = data.usageOverTime.flatMap((each) => each.points);
  const usage = points.reduce((sum, point) => sum + point.usage, 0);
  const events = points.reduce((sum, point) => sum + point.events, 0);
  return (
    <>
      <Group gap="xs" align="baseline" mb="xs">
        <Text fz={26} fw={700} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {numberText(usage)}
        </Text>
        <Dimmed>{events === 1 ? 'in 1 event' : `in ${numberText(events)} events`}</Dimmed>
      </Group>
      <BarChart
        h={250}
        data={rows}
        dataKey="label"
        type="stacked"
        series={series}
        withLegend={series.length > 1}
        gridAxis="x"
        tickLine="none"
        valueFormatter={numberText}
        yAxisProps={numberAxis(most)}
        xAxisProps={timeAxis}
        barProps={{ isAnimationActive: false }}
      />
    </>
  );
}
