import { Group, Select, TextInput } from '@mantine/core';
import { AmountInput } from '../../parts/amount-input.tsx';

/** The fields of a price in a form. */
export interface PriceFields {
  readonly amount: number | undefined;
  readonly currency: string;
  readonly intervalUnit: string;
  readonly slug: string;
}

const intervals = [
  { value: 'month', label: 'Each month' },
  { value: 'year', label: 'Each year' },
  { value: 'week', label: 'Each week' },
  { value: 'day', label: 'Each day' },
  { value: 'once', label: 'Once' },
];

interface Props {
  readonly fields: PriceFields;
  readonly onChange: (fields: PriceFields) => void;
}

/** Amount, currency, interval and slug of a price. */
export function PriceInputs({ fields, onChange }: Props) {
  const set = (changed: Partial<PriceFields>) => onChange({ ...fields, ...changed });
  return (
    <>
      <Group grow>
        <AmountInput
          label="Amount"
          currency={fields.currency}
          value={fields.amount}
          onChange={(amount) => set({ amount })}
        />
        <Select
          label="Charged"
          data={intervals}
          value={fields.intervalUnit}
          onChange={(value) => set({ intervalUnit: value ?? 'month' })}
          allowDeselect={false}
        />
      </Group>
      <TextInput
        label="Slug"
        description="Your own id of the price; optional"
        value={fields.slug}
        onChange={({ currentTarget }) => set({ slug: currentTarget.value })}
      />
    </>
  );
}

/** The input of a price; undefined while it is incomplete. */
export function priceInputOf({ amount, currency, intervalUnit, slug }: PriceFields) {
  if (amount === undefined) return undefined;
  const isOnce = intervalUnit === 'once';
  return {
    type: isOnce ? ('single_payment' as const) : ('subscription' as const),
    unitPrice: amount,
    currency,
    ...(!isOnce && { intervalUnit: intervalUnit as 'month', intervalCount: 1 }),
    ...(slug.trim() && { slug: slug.trim() }),
  };
}
