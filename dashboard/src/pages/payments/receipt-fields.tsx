import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { startOf } from '../../parts/texts/days.ts';
import { type ExternalMethod, externalMethods } from './external-methods.ts';

/** The fields of a form about money that arrives without a processor. */
export interface Receipt {
  readonly method: ExternalMethod;
  readonly reference: string;
  /** A day of UTC; empty for the present or for none. */
  readonly day: string;
  readonly note: string;
}

export const emptyReceipt: Receipt = { method: 'bank_transfer', reference: '', day: '', note: '' };

interface Props {
  readonly value: Receipt;
  readonly onChange: (receipt: Receipt) => void;
  readonly dayLabel: string;
  readonly dayDescription: string;
}

/** The method, the reference, the day and a remark of a receipt. */
export function ReceiptFields({ value, onChange, dayLabel, dayDescription }: Props) {
  const set = (values: Partial<Receipt>) => onChange({ ...value, ...values });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Method"
          description="How the money arrives"
          data={externalMethods}
          value={value.method}
          onChange={(method) => set({ method: (method ?? 'other') as ExternalMethod })}
          allowDeselect={false}
        />
        <DayInput
          label={dayLabel}
          description={dayDescription}
          value={value.day}
          onChange={(day) => set({ day })}
        />
      </SimpleGrid>
      <TextInput
        label="Reference"
        description="For example that of the bank; each can be used once"
        value={value.reference}
        onChange={({ currentTarget }) => set({ reference: currentTarget.value })}
      />
      <TextInput
        label="Note"
        description="For yourself"
        dir="auto"
        value={value.note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
      />
    </>
  );
}

/** The given fields as variables of a mutation. */
export const receiptInput = ({ method, reference, note }: Receipt) => ({
  method,
  ...(reference.trim() && { reference: reference.trim() }),
  ...(note.trim() && { note: note.trim() }),
});

export const dayInput = <Name extends string>(name: Name, { day }: Receipt) => {
  const instant = startOf(day);
  return instant === undefined ? {} : ({ [name]: instant } as Record<Name, number>);
};
