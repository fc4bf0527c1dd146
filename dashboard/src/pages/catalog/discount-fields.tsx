import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import { AmountInput } from '../../parts/amount-input.tsx';
import { CurrencySelect } from '../../parts/currency-select.tsx';
import { DayInput, instantOf } from '../../parts/day-input.tsx';
import type { Discount } from './types.ts';

/** The fields of a discount in a form. */
export interface DiscountFields {
  readonly name: string;
  readonly code: string;
  readonly amountType: Discount['amountType'];
  /** A percentage, or minor units of the currency. */
  readonly amount: number | undefined;
  readonly currency: string;
  readonly duration: Discount['duration'];
  readonly payments: number | string;
  readonly limit: number | string;
  readonly lastDay: string;
}

const durations = [
  { value: 'once', label: 'One payment' },
  { value: 'forever', label: 'All payments' },
  { value: 'number_of_payments', label: 'A number of payments' },
] satisfies { value: Discount['duration']; label: string }[];

interface Props {
  readonly fields: DiscountFields;
  readonly onChange: (fields: DiscountFields) => void;
}

/** The code of a discount, what it reduces, and until when. */
export function DiscountInputs({ fields, onChange }: Props) {
  const set = (changed: Partial<DiscountFields>) => onChange({ ...fields, ...changed });
  const { amountType, amount, currency, duration } = fields;
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label="Name"
          dir="auto"
          data-autofocus
          value={fields.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <TextInput
          label="Code"
          placeholder="WELCOME20"
          value={fields.code}
          onChange={({ currentTarget }) => set({ code: currentTarget.value.toUpperCase() })}
        />
      </Group>
      <Group grow align="flex-start">
        <Select
          label="It is"
          data={[
            { value: 'percent', label: 'A percentage' },
            { value: 'fixed', label: 'An amount of money' },
          ]}
          value={amountType}
          onChange={(value) => set({ amountType: value ?? 'percent', amount: undefined })}
          allowDeselect={false}
        />
        {amountType === 'percent' ? (
          <NumberInput
            label="Percentage"
            min={1}
            max={100}
            allowDecimal={false}
            suffix=" %"
            value={amount ?? ''}
            onChange={(typed) => set({ amount: typed === '' ? undefined : Number(typed) })}
          />
        ) : (
          <AmountInput
            label="Amount"
            currency={currency}
            value={amount}
            onChange={(typed) => set({ amount: typed })}
          />
        )}
      </Group>
      {amountType === 'fixed' && (
        <CurrencySelect
          value={currency}
          onChange={(chosen) => set({ currency: chosen ?? currency })}
        />
      )}
      <Group grow align="flex-start">
        <Select
          label="It reduces"
          data={durations}
          value={duration}
          onChange={(value) => set({ duration: value ?? 'once' })}
          allowDeselect={false}
        />
        {duration === 'number_of_payments' && (
          <NumberInput
            label="Payments"
            min={1}
            allowDecimal={false}
            value={fields.payments}
            onChange={(payments) => set({ payments })}
          />
        )}
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          label="Most redemptions"
          description="Optional"
          min={1}
          allowDecimal={false}
          thousandSeparator
          value={fields.limit}
          onChange={(limit) => set({ limit })}
        />
        <DayInput
          label="Ends on"
          description="Optional; it cannot be redeemed from this day on"
          value={fields.lastDay}
          onChange={(lastDay) => set({ lastDay })}
        />
      </Group>
    </>
  );
}

/** The input of a discount; undefined while it is incomplete. */
export function discountInputOf(fields: DiscountFields) {
  const { amountType, amount, currency, duration } = fields;
  const [name, code] = [fields.name.trim(), fields.code.trim()];
  const [payments, limit] = [Number(fields.payments), Number(fields.limit)];
  const isCounted = duration === 'number_of_payments';
  if (!name || !code || amount === undefined || amount <= 0) return undefined;
  if (isCounted && !(payments > 0)) return undefined;
  const expiresAt = instantOf(fields.lastDay);
  return {
    name,
    code,
    amountType,
    amount,
    duration,
    ...(amountType === 'fixed' && { currency }),
    ...(isCounted && { numberOfPayments: payments }),
    ...(limit > 0 && { redemptionLimit: limit }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
