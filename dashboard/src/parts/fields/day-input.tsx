import { TextField } from './text-field.tsx';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** A day such as 2026-03-31; empty for none. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A day of UTC, in the calendar of the browser. */
export function DayInput({ label, description, value, onChange }: Props) {
  return (
    <TextField
      type="date"
      label={label}
      description={description}
      value={value}
      onChange={onChange}
    />
  );
}
