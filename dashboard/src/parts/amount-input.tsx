import { NumberInput } from '@mantine/core';
import { digitsOf } from './formats.ts';

interface Props {
  readonly label: string;
  readonly currency: string;
  /** In minor units; undefined while the field is empty. */
  readonly value: number | undefined;
  readonly onChange: (amount: number | undefined) => void;
  readonly description?: string;
  /** Whether amounts below 0 are allowed. */
  readonly allowNegative?: boolean;
}

/** An amount of money that is typed in major units. */
export function AmountInput({
  label,
  currency,
  value,
  onChange,
  description,
  allowNegative = false,
}: Props) {
  const digits = digitsOf(currency);
  const unit = 10 ** digits;
  return (
    <NumberInput
      label={label}
      data-unit={unit}
      description={description}
      {...(!allowNegative && { min: 0 })}
      decimalScale={digits}
      fixedDecimalScale
      thousandSeparator
      value={value === undefined ? '' : value / unit}
      onChange={(typed) => onChange(typed === '' ? undefined : Math.round(Number(typed) * unit))}
      rightSection={currency}
      rightSectionWidth={52}
      hideControls
    />
  );
}
