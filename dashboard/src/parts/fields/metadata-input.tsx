import { TextInput } from '@mantine/core';
import type { MetadataPair } from './metadata-pairs.ts';
import { RowsInput } from './rows-input.tsx';

interface Props {
  readonly pairs: readonly MetadataPair[];
  readonly onChange: (pairs: readonly MetadataPair[]) => void;
}

/** Key-value pairs of a record. */
export function MetadataInput({ pairs, onChange }: Props) {
  return (
    <RowsInput
      rows={pairs}
      onChange={onChange}
      name="pair"
      add="Add a pair"
      newRow={() => ({ key: crypto.randomUUID(), name: '', value: '' })}
      least={0}
      isLabelled={false}
    >
      {({ name, value }, change) => (
        <>
          <TextInput
            flex={1}
            miw={0}
            aria-label="Key"
            placeholder="Key"
            value={name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            flex={2}
            miw={0}
            aria-label="Value"
            placeholder="Value"
            dir="auto"
            value={value}
            onChange={({ currentTarget }) => change({ value: currentTarget.value })}
          />
        </>
      )}
    </RowsInput>
  );
}
