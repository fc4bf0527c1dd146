import { digitsOf } from '../../parts/formats.ts';
import { DecimalField, type TypedFieldProps } from '../../parts/number-field.tsx';

type Props = TypedFieldProps<string> & { readonly currency: string };

/** The price of a unit in major units, which may be a fraction of a minor one. */
export const UnitPriceInput = ({ currency, ...props }: Props) => (
  <DecimalField decimals={digitsOf(currency) + 9} unit={currency} flex="1 1 120px" {...props} />
);
