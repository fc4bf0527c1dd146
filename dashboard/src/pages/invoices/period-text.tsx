import { Text, Tooltip } from '@mantine/core';
import { dayText, instantText } from '../../parts/texts/days.ts';

interface Props {
  readonly start: number;
  readonly end: number;
}

/** A billing period by its days, with its exact instants on hover. */
export function PeriodText({ start, end }: Props) {
  return (
    <Tooltip label={`${instantText(start)} – ${instantText(end)}`} openDelay={300}>
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        {dayText(start)} – {dayText(end)}
      </Text>
    </Tooltip>
  );
}
