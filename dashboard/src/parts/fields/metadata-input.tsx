import type { MetadataPair } from './metadata-pairs.ts';
import { RowsInput } from './rows-input.tsx';
import { TextField } from './text-field.tsx';

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
          <TextField
            flex={1}
            miw={0}
            aria-label="Key"
            placeholder="Key"
            value={name}
            onChange={(name) => change({ name })}
          />
          <TextField
            flex={2}
            miw={0}
            aria-label="Value"
            placeholder="Value"
            dir="auto"
            value={value}
            onChange={(value) => change({ value })}
          />
        </>
      )}
    </RowsInput>
  );
}
