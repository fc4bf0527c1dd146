import { DecimalField, type TypedFieldProps } from '../../../parts/fields/number-field.tsx';
import { digitsOf } from '../../../parts/texts/formats.ts';

type Props = TypedFieldProps<string> & { readonly currency: string };

/** The price of a unit in major units, which may be a fraction of a minor one. */
export const UnitPriceInput = ({ currency, ...props }: Props) => (
  <DecimalField decimals={digitsOf(currency) + 9} unit={currency} flex="1 1 120px" {...props} />
);
