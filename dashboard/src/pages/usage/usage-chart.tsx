import { BarChart } from '@mantine/charts';
import { Group, SegmentedControl, Skeleton, TextInput } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { numberText, shortNumberText } from '../../parts/formats.ts';
import { Section } from '../../parts/section.tsx';
import type { Filters } from '../../parts/use-filters.ts';
import { useNow } from '../../parts/use-now.ts';
import { bucketLabel } from '../home/bucket-label.ts';
import { ranges, spanOf } from '../home/ranges.ts';
import { UsageCourseDocument } from './usage.generated.ts';

const colors = ['toll.7', 'blue.6', 'orange.6', 'grape.6', 'cyan.7', 'pink.6', 'gray.6'];

interface Props {
  readonly meter: string;
  readonly name: string;
  readonly filters: Filters;
}

/** The usage of a meter over time, as a whole or by the values of a property. */
export function UsageChart({ meter, name, filters }: Props) {
  const range = ranges.find((each) => each.name === filters.get('range')) ?? ranges[1];
  const now = useNow();
  if (!range) return null;
  const { from, to } = spanOf(range, now);
  const groupBy = filters.get('by');
  const customer = filters.get('customer');
  return (
    <Section
      title={name}
      actions={
        <Group gap="xs">
          <TextInput
            size="xs"
            w={170}
            aria-label="Property"
            placeholder="By property, then Enter"
            defaultValue={groupBy ?? ''}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') filters.set('by', currentTarget.value.trim());
            }}
          />
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
      <Course
        variables={{
          meter,
          from,
          to,
          interval: range.interval,
          ...(customer && { customer }),
          ...(groupBy && { groupBy }),
        }}
      />
    </Section>
  );
}

interface CourseProps {
  readonly variables: {
    readonly meter: string;
    readonly from: number;
    readonly to: number;
    readonly interval: 'day' | 'week' | 'month';
  };
}

function Course({ variables }: CourseProps) {
  const { data, error, reload } = useLive(UsageCourseDocument, variables, {
    kinds: ['usage_event'],
  });
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  if (!data) return <Skeleton h={260} />;
  const series = data.usageOverTime.map(({ value, isOthers }, place) => ({
    name: `s${place}`,
    label: isOthers ? 'Others' : (value ?? 'Usage'),
    color: colors[place % colors.length] ?? 'gray.6',
  }));
  const rows = (data.usageOverTime[0]?.points ?? []).map(({ start }, at) => ({
    label: bucketLabel(start, variables.interval),
    ...Object.fromEntries(
      data.usageOverTime.map(({ points }, place) => [`s${place}`, points[at]?.usage ?? 0]),
    ),
  }));
  return (
    <BarChart
      h={260}
      data={rows}
      dataKey="label"
      type="stacked"
      series={series}
      withLegend={series.length > 1}
      gridAxis="x"
      tickLine="none"
      valueFormatter={numberText}
      yAxisProps={{ width: 52, tickFormatter: shortNumberText }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
