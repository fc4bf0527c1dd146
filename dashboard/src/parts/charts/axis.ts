import { digitsOf, shortMoneyText, shortNumberText } from '../texts/formats.ts';

const steps = [1, 2, 5, 10];
const mostSteps = 4;

/** Whole ticks of an axis from 0 to the first one that is not below a value, all at the same distance. */
export function ticksTo(most: number, smallest = 1): number[] {
  const least = Math.max(most / mostSteps, smallest);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(smallest, power * (steps.find((each) => each * power >= least) ?? 10));
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

const axisOf = (ticks: readonly number[]) => ({
  ticks: [...ticks],
  domain: [0, ticks.at(-1) ?? 1] as [number, number],
});

/** The axis of amounts of money, in whole major units. */
export const moneyAxis = (most: number, currency: string) => ({
  width: 64,
  ...axisOf(ticksTo(most, 10 ** digitsOf(currency))),
  tickFormatter: (amount: number) => shortMoneyText(amount, currency),
});

/** The axis of numbers. */
export const numberAxis = (most: number) => ({
  width: 52,
  ...axisOf(ticksTo(most)),
  tickFormatter: shortNumberText,
});

/** Labels of an axis of time that do not touch each other. */
export const timeAxis = { minTickGap: 16 };
