import { ActionIcon, Button, Fieldset, Group, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '../../icons/icons.tsx';
import { AmountInput } from '../../parts/fields/amount-input.tsx';
import { NumberField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import type { DraftLine } from './draft-lines.ts';

interface Props {
  readonly lines: readonly DraftLine[];
  readonly currency: string;
  readonly onChange: (lines: readonly DraftLine[]) => void;
}

/** The lines of a draft: descriptions, quantities and prices. */
export function DraftLinesInput({ lines, currency, onChange }: Props) {
  const change = (key: number, values: Partial<DraftLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...values } : line)));
  const next = Math.max(0, ...lines.map(({ key }) => key)) + 1;
  return (
    <Fieldset legend="Lines" p="sm">
      <Stack gap="md">
        {lines.map(({ key, description, quantity, price }) => (
          <Group key={key} gap="xs" align="flex-start">
            <TextField
              label="Description"
              flex={{ base: '1 1 100%', xs: '1 1 180px' }}
              dir="auto"
              value={description}
              onChange={(description) => change(key, { description })}
            />
            <NumberField
              label="Quantity"
              w={90}
              decimals={9}
              value={quantity}
              onChange={(value) => change(key, { quantity: value })}
            />
            <Group flex="1 1 140px" gap="xs" align="flex-start" wrap="nowrap">
              <AmountInput
                label="Unit price"
                currency={currency}
                min={Number.NEGATIVE_INFINITY}
                value={price}
                onChange={(amount) => change(key, { price: amount })}
              />
              <ActionIcon
                size={36}
                mt={25}
                variant="subtle"
                color="red"
                aria-label="Remove the line"
                disabled={lines.length === 1}
                onClick={() => onChange(lines.filter((line) => line.key !== key))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            onChange([...lines, { key: next, description: '', quantity: 1, price: undefined }])
          }
        >
          Add a line
        </Button>
      </Stack>
    </Fieldset>
  );
}
