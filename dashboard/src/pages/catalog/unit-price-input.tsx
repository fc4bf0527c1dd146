import { NumberInput } from '@mantine/core';
import { digitsOf } from '../../parts/formats.ts';
import type { Typed } from './price-model.ts';

interface Props {
  readonly label: string;
  readonly currency: string;
  readonly value: Typed;
  readonly onChange: (typed: Typed) => void;
  readonly description?: string;
}

/** The price of a unit in major units, which may be a fraction of a minor one. */
export function UnitPriceInput({ currency, ...props }: Props) {
  return (
    <NumberInput
      {...props}
      min={0}
      decimalScale={digitsOf(currency) + 9}
      thousandSeparator
      rightSection={currency}
      rightSectionWidth={52}
      hideControls
      flex={1}
      miw={96}
    />
  );
}
