import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '../../icons/icons.tsx';
import type { TaxIdType } from '../../pages/customers/customer.generated.ts';
import { taxIdTypes } from '../texts/tax-texts.ts';
import { Choice } from './choice.tsx';
import { TextField } from './text-field.tsx';

/** A tax id in a form. */
export interface TaxIdField {
  /** The place of the field in the form, which stays while others are removed. */
  readonly key: number;
  readonly type: TaxIdType;
  readonly value: string;
}

/** The tax ids of a record as a form has them. */
export const taxIdFieldsOf = (
  taxIds: readonly { readonly type: TaxIdType; readonly value: string }[],
): readonly TaxIdField[] => taxIds.map(({ type, value }, key) => ({ key, type, value }));

/** The input of the fields that have a number. */
export const taxIdsOf = (fields: readonly TaxIdField[]) =>
  fields.flatMap(({ type, value }) => (value.trim() ? [{ type, value: value.trim() }] : []));

interface Props {
  readonly fields: readonly TaxIdField[];
  readonly onChange: (fields: readonly TaxIdField[]) => void;
}

const most = 5;

/** The numbers under which tax authorities know a company. */
export function TaxIdsInput({ fields, onChange }: Props) {
  const change = (key: number, changes: Partial<TaxIdField>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...changes } : field)));
  const add = () => {
    const key = Math.max(-1, ...fields.map((field) => field.key)) + 1;
    onChange([...fields, { key, type: fields.at(-1)?.type ?? 'eu_vat', value: '' }]);
  };
  return (
    <Stack gap="xs" role="group" aria-label="Tax numbers">
      <Text size="sm" fw={600}>
        Tax numbers
      </Text>
      {fields.map(({ key, type, value }, place) => (
        <Group key={key} gap="xs" wrap="nowrap">
          <Choice
            flex={1}
            miw={0}
            aria-label={`Kind of tax number ${place + 1}`}
            data={taxIdTypes}
            value={type}
            onChange={(next) => change(key, { type: next })}
            searchable
          />
          <TextField
            flex={1}
            miw={0}
            aria-label={`Tax number ${place + 1}`}
            placeholder="DE123456788"
            value={value}
            onChange={(value) => change(key, { value })}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={`Remove tax number ${place + 1}`}
            onClick={() => onChange(fields.filter((field) => field.key !== key))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {fields.length < most && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={add}
          >
            Add a tax number
          </Button>
        </Group>
      )}
    </Stack>
  );
}
