import { Radio, type RadioProps, Stack } from '@mantine/core';
import type { Field } from './use-field.ts';

interface RadiosProps<Value extends string> extends Field<Value> {
  readonly label: string;
  /** The values, with false in place of those that cannot be chosen now. */
  readonly data: readonly (
    | (Pick<RadioProps, 'label' | 'description'> & { readonly value: Value })
    | false
  )[];
}

/** The choice of one of a few values that are all shown. */
export const Radios = <Value extends string>({ data, onChange, ...props }: RadiosProps<Value>) => (
  <Radio.Group {...props} onChange={(value) => onChange(value as Value)}>
    <Stack gap="xs" mt="xs">
      {data.map((radio) => radio && <Radio key={radio.value} {...radio} />)}
    </Stack>
  </Radio.Group>
);
