import { Badge } from '@mantine/core';
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
      visibleFrom="xs"
    >
      {live ? 'Live mode' : 'Test mode'}
    </Badge>
  );
}
