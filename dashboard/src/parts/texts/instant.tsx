import { Text, Tooltip } from '@mantine/core';
import { useNow } from '../use-now.ts';
import { dayText, instantText, isoText, readersText } from './days.ts';
import { relativeText } from './formats.ts';

interface Props {
  readonly at: number | null | undefined;
  /** Whether the distance to now is shown instead of the day. */
  readonly isRelative?: boolean;
}

/** A day or a distance in time, with the exact instant on hover, also by the clock of the reader. */
export function Instant({ at, isRelative = false }: Props) {
  const now = useNow(isRelative);
  if (at == null)
    return (
      <Text span inherit c="dimmed">
        —
      </Text>
    );
  return (
    <Tooltip label={[instantText(at), readersText(at)].filter(Boolean).join(' · ')} openDelay={300}>
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={isoText(at)}>{isRelative ? relativeText(at, now) : dayText(at)}</time>
      </Text>
    </Tooltip>
  );
}
