import { Select, type SelectProps } from '@mantine/core';

interface Props<Value extends string>
  extends Omit<SelectProps, 'allowDeselect' | 'data' | 'onChange' | 'value'> {
  readonly data: readonly (Value | { readonly value: Value; readonly label: string })[];
  /** Null while none is chosen. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
}

/** The choice of one of several values, which cannot be taken back. */
export const Choice = <Value extends string>({ data, onChange, ...props }: Props<Value>) => (
  <Select
    {...props}
    data={[...data]}
    allowDeselect={false}
    onChange={(value) => value !== null && onChange(value as Value)}
  />
);
