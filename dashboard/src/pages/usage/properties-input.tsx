import { Textarea } from '@mantine/core';
import { propertiesOf } from './properties.ts';

interface Props {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The properties of a usage event, one on each line. */
export function PropertiesInput({ value, onChange }: Props) {
  return (
    <Textarea
      label="Properties"
      description="Optional; one on each line, such as region: eu"
      autosize
      minRows={2}
      dir="auto"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={propertiesOf(value) === undefined && 'Each line needs a name, a colon and a value.'}
    />
  );
}
