import { Select, type SelectProps } from '@mantine/core';

interface Props<Value extends string>
  extends Omit<SelectProps, 'allowDeselect' | 'data' | 'onChange' | 'value'> {
  /** The values with their labels, or values that are their own labels. */
  readonly data:
    | Readonly<Partial<Record<Value, string>>>
    | readonly (Value | { readonly value: Value; readonly label: string })[];
  /** Null while none is chosen. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
}

/** The choice of one of several values; it can change, and not be removed. */
export const Choice = <Value extends string>({ data, onChange, ...props }: Props<Value>) => (
  <Select
    {...props}
    data={Array.isArray(data) ? [...data] : choicesOf(data as Record<string, string>)}
    allowDeselect={false}
    onChange={(value) => value !== null && onChange(value as Value)}
  />
);

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
