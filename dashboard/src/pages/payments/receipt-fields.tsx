import { SimpleGrid } from '@mantine/core';
import { Choice } from '../../parts/fields/choice.tsx';
import { DayInput } from '../../parts/fields/day-input.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../parts/fields/use-field.ts';
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
  const of = fieldsOf(value, set);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Choice
          label="Method"
          description="How the money arrives"
          data={externalMethods}
          value={value.method}
          onChange={(method) => set({ method: method as ExternalMethod })}
        />
        <DayInput label={dayLabel} description={dayDescription} {...of('day')} />
      </SimpleGrid>
      <TextField
        label="Reference"
        description="For example that of the bank; each can be used once"
        {...of('reference')}
      />
      <TextField label="Note" description="For yourself" dir="auto" {...of('note')} />
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
