import { Badge, Text } from '@mantine/core';
import { isLive } from '../session/access.ts';
import { useSession } from '../session/session.tsx';

/** Whether the pages show test or live data. */
export function ModeBadge() {
  const live = isLive(useSession().access);
  return (
    <Badge
      variant="light"
      color={live ? 'red' : 'yellow'}
      c={live ? undefined : 'var(--mantine-color-text)'}
      tt="none"
      radius="sm"
      miw="max-content"
    >
      {live ? 'Live' : 'Test'}
      <Text span inherit visibleFrom="xs">
        {' mode'}
      </Text>
    </Badge>
  );
}
