import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Omit<TextInputProps, 'onChange' | 'value'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A line of text. */
export const TextField = ({ onChange, ...props }: Props) => (
  <TextInput {...props} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);
