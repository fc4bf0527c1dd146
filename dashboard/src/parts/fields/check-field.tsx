import { Checkbox, type CheckboxProps, Switch, type SwitchProps } from '@mantine/core';
import type { Field } from './use-field.ts';

type Yes<Props> = Omit<Props, 'checked' | 'onChange' | 'value'> & Field<boolean>;

/** A box for yes and no. */
export const CheckField = ({ value, onChange, ...props }: Yes<CheckboxProps>) => (
  <Checkbox
    {...props}
    checked={value}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);

/** A switch for on and off. */
export const SwitchField = ({ value, onChange, ...props }: Yes<SwitchProps>) => (
  <Switch
    {...props}
    checked={value}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
