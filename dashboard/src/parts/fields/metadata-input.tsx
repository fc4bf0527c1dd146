import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '../../icons/icons.tsx';
import type { MetadataPair } from './metadata-pairs.ts';

interface Props {
  readonly pairs: readonly MetadataPair[];
  readonly onChange: (pairs: readonly MetadataPair[]) => void;
}

/** Key-value pairs of a record. */
export function MetadataInput({ pairs, onChange }: Props) {
  const change = (key: string, changes: Partial<MetadataPair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...changes } : pair)));
  return (
    <Stack gap="xs">
      {pairs.map(({ key, name, value }, place) => (
        <Group key={key} gap="xs" wrap="nowrap" role="group" aria-label={`Pair ${place + 1}`}>
          <TextInput
            flex={1}
            miw={0}
            aria-label="Key"
            placeholder="Key"
            value={name}
            onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
          />
          <TextInput
            flex={2}
            miw={0}
            aria-label="Value"
            placeholder="Value"
            dir="auto"
            value={value}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={`Remove pair ${place + 1}`}
            onClick={() => onChange(pairs.filter((pair) => pair.key !== key))}
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
        onClick={() => onChange([...pairs, { key: crypto.randomUUID(), name: '', value: '' }])}
      >
        Add a pair
      </Button>
    </Stack>
  );
}
