import { Choice } from './choice.tsx';

interface Props {
  readonly value: string | null;
  readonly onChange: (currency: string | null) => void;
}

const currencies = Intl.supportedValuesOf('currency');

/** The choice of a currency of ISO 4217. */
export function CurrencySelect({ value, onChange }: Props) {
  return (
    <Choice
      label="Currency"
      data={currencies}
      searchable
      nothingFoundMessage="No currency"
      value={value}
      onChange={onChange}
    />
  );
}
