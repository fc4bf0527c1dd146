import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { CheckField } from '../../../parts/fields/check-field.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { NumbersInput } from '../../../parts/fields/numbers-input.tsx';
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
  return <NumberField {...shown} decimals={9} value={value} onChange={onChange} />;
}

interface PercentagesProps {
  readonly value: readonly number[];
  readonly onChange: (value: readonly number[]) => void;
}

/** The further thresholds of an alert. */
export const Percentages = ({ value, onChange }: PercentagesProps) => (
  <NumbersInput
    label="Also at these percentages"
    description="Of the threshold, such as 50 and 80; each triggers by itself"
    rule={{ decimals: 0, min: 1, max: 1_000 }}
    refuse={(one) => (one === 100 ? 'That is the threshold itself' : undefined)}
    most={10}
    value={value}
    onChange={onChange}
  />
);

interface HardLimitProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** Whether an alert refuses usage beyond its threshold. */
export const HardLimit = ({ value, onChange }: HardLimitProps) => (
  <CheckField
    label="Hard limit"
    description="Usage beyond the threshold is refused"
    value={value}
    onChange={onChange}
  />
);
