import { Text } from '@mantine/core';
import { Mark } from '../parts/texts/small-texts.tsx';
import { isLive } from '../session/access.ts';
import { useSession } from '../session/session.tsx';

/** Whether the pages show test or live data. */
export function ModeBadge() {
  const live = isLive(useSession().access);
  return (
    <Mark
      color={live ? 'red' : 'yellow'}
      c={live ? undefined : 'var(--mantine-color-text)'}
      miw="max-content"
    >
      {live ? 'Live' : 'Test'}
      <Text span inherit visibleFrom="xs">
        {' mode'}
      </Text>
    </Mark>
  );
}
