import { BarChart, type BarChartProps } from '@mantine/charts';
import { moneyText } from '../texts/formats.ts';
import { moneyAxis, timeAxis } from './axis.ts';

type Props = Pick<BarChartProps, 'data' | 'h' | 'series' | 'type'> & {
  readonly currency: string;
  /** The largest amount. */
  readonly most: number;
  readonly radius?: [number, number, number, number];
};

/** Amounts of money over time. */
export const MoneyBars = ({ currency, most, radius, ...props }: Props) => (
  <BarChart
    {...props}
    dataKey="label"
    withLegend
    tickLine="none"
    gridAxis="x"
    valueFormatter={(amount) => moneyText(Math.round(amount), currency)}
    yAxisProps={moneyAxis(most, currency)}
    xAxisProps={timeAxis}
    barProps={{ isAnimationActive: false, ...(radius && { radius }) }}
  />
);
