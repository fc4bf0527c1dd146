import { Checkbox, NumberInput, TagsInput } from '@mantine/core';
import { AmountInput } from '../../parts/amount-input.tsx';
import type { Alert } from './alert-texts.ts';

interface ThresholdProps {
  readonly kind: Alert['kind'];
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly currency: string;
}

/** The threshold of an alert, in its unit. */
export function Threshold({ kind, value, onChange, currency }: ThresholdProps) {
  const falls = kind.startsWith('credit');
  const description = `Triggers at or ${falls ? 'below' : 'above'} it`;
  const shown = { label: 'Threshold', description };
  if (kind === 'spend') {
    return <AmountInput {...shown} currency={currency} value={value} onChange={onChange} />;
  }
  return (
    <NumberInput
      {...shown}
      min={0}
      value={value ?? ''}
      onChange={(typed) => onChange(typed === '' ? undefined : Number(typed))}
    />
  );
}

interface PercentagesProps {
  readonly value: readonly number[];
  readonly onChange: (value: readonly number[]) => void;
}

/** The further thresholds of an alert. */
export const Percentages = ({ value, onChange }: PercentagesProps) => (
  <TagsInput
    label="Also at these percentages"
    description="Of the threshold, such as 50 and 80; each triggers by itself"
    value={value.map(String)}
    onChange={(typed) =>
      onChange(
        [...new Set(typed.map(Number))]
          .filter((one) => Number.isInteger(one) && one >= 1 && one <= 1_000 && one !== 100)
          .sort((a, b) => a - b),
      )
    }
    maxTags={10}
  />
);

interface HardLimitProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** Whether an alert refuses usage beyond its threshold. */
export const HardLimit = ({ value, onChange }: HardLimitProps) => (
  <Checkbox
    label="Hard limit"
    description="Usage beyond the threshold is refused"
    checked={value}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
