import { Group, Text, Textarea } from '@mantine/core';
import type { Field } from '../../parts/fields/use-field.ts';
import { Money } from '../../parts/texts/money.tsx';
import { type DraftLine, sumOfLines } from './draft-lines.ts';
import { DraftLinesInput } from './draft-lines-input.tsx';

interface Props {
  readonly lines: Field<readonly DraftLine[]>;
  readonly memo: Field<string>;
  readonly currency: string;
}

/** The lines of a draft with their sum, and its memo. */
export const DraftFields = ({ lines, memo, currency }: Props) => (
  <>
    <DraftLinesInput lines={lines.value} currency={currency} onChange={lines.onChange} />
    <Group justify="space-between">
      <Text size="sm">Sum before tax</Text>
      <Money amount={sumOfLines(lines.value)} currency={currency} fw={600} />
    </Group>
    <Textarea
      label="Memo"
      description="Printed on the invoice"
      dir="auto"
      autosize
      value={memo.value}
      onChange={({ currentTarget }) => memo.onChange(currentTarget.value)}
    />
  </>
);
