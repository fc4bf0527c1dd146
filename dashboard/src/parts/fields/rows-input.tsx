import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus, IconTrash } from '../../icons/icons.tsx';

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
  /** The word for a row, such as "tier". */
  readonly name: string;
  /** The label of the button that adds a row. */
  readonly add: string;
  readonly newRow: () => Row;
  /** How many rows stay at least. */
  readonly least?: number;
  /** Whether the fields have their labels above them; the button that removes a row is below these. */
  readonly isLabelled?: boolean;
  /** The fields of a row. */
  readonly children: (
    row: Row,
    change: (changes: Partial<Row>) => void,
    place: number,
  ) => ReactNode;
}

/** Rows of fields that can be added and removed. */
export function RowsInput<Row extends { readonly key: string }>(props: Props<Row>) {
  const { rows, onChange, name, add, newRow, least = 1, isLabelled = true, children } = props;
  const change = (key: string) => (changes: Partial<Row>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  return (
    <Stack gap="xs">
      {rows.map((row, place) => (
        <Group
          key={row.key}
          gap="xs"
          {...(isLabelled ? { align: 'flex-start' } : { wrap: 'nowrap' })}
          role="group"
          aria-label={`${name.charAt(0).toUpperCase()}${name.slice(1)} ${place + 1}`}
        >
          {children(row, change(row.key), place)}
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            mt={isLabelled ? 26 : 0}
            disabled={rows.length <= least}
            aria-label={`Remove ${name} ${place + 1}`}
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...rows, newRow()])}
      >
        {add}
      </Button>
    </Stack>
  );
}
