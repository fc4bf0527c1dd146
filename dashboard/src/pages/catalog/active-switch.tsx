import { SwitchField } from '../../parts/fields/check-field.tsx';

interface Props {
  /** The effect of the switch. */
  readonly description: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** Whether an object of the catalog is active. */
export const ActiveSwitch = ({ description, value, onChange }: Props) => (
  <SwitchField label="Active" description={description} value={value} onChange={onChange} />
);
