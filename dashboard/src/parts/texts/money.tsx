import { Text, type TextProps } from '@mantine/core';
import { moneyText } from './formats.ts';

interface Props extends TextProps {
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** An amount of money, whose digits are below each other in a column. */
export function Money({ amount, currency, ...props }: Props) {
  return (
    <Text
      span
      inherit={props.size === undefined}
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      {...props}
    >
      {moneyText(amount, currency)}
    </Text>
  );
}
