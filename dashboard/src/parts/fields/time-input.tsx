import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates';
import { instantAt, timeOf } from '../texts/days.ts';

interface Props
  extends Omit<DateTimePickerProps, 'defaultDate' | 'label' | 'minDate' | 'onChange' | 'value'> {
  readonly label: string;
  /** An instant; null for none. */
  readonly value: number | null;
  readonly onChange: (instant: number | null) => void;
  /** The earliest instant. */
  readonly earliest?: number;
  /** The instant whose month is open first, where none is chosen. */
  readonly near?: number | null;
}

/** A time of UTC, like all times of the dashboard. */
export function TimeInput({ label, value, onChange, earliest, near, ...props }: Props) {
  return (
    <DateTimePicker
      label={`${label} (UTC)`}
      value={value === null ? null : timeOf(value)}
      onChange={(time) => onChange(time === null ? null : instantAt(time))}
      {...(earliest !== undefined && { minDate: timeOf(earliest) })}
      {...(near != null && { defaultDate: timeOf(near) })}
      {...props}
    />
  );
}
