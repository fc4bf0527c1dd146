import { digitsOf } from '../texts/formats.ts';
import { TypedField, type TypedFieldProps } from './number-field.tsx';
import { majorOf, minorOf } from './typed-number.ts';

type Props = Omit<TypedFieldProps<number | undefined>, 'decimals' | 'unit'> & {
  readonly currency: string;
};

/**
 * An amount of money that is typed in major units; its value is in minor ones, undefined for none. In another currency
 * the text stays, and is read with the decimals of that currency.
 */
export function AmountInput({ currency, ...props }: Props) {
  const digits = digitsOf(currency);
  return (
    <TypedField
      isAmount
      decimals={digits}
      unit={currency}
      toNumber={(amount) => (amount === undefined ? '' : majorOf(amount, digits))}
      fromNumber={(number) => (number === '' ? undefined : minorOf(number, digits))}
      {...props}
    />
  );
}
