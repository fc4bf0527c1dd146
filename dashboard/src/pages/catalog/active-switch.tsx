import { Switch } from '@mantine/core';

interface Props {
  /** The effect of the switch. */
  readonly description: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** Whether an object of the catalog is active. */
export const ActiveSwitch = ({ description, value, onChange }: Props) => (
  <Switch
    label="Active"
    description={description}
    checked={value}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
