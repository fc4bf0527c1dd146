import { Badge, Tooltip } from '@mantine/core';
import { useFeedState } from '../live/feed.tsx';

const states = {
  live: ['teal', 'Live', 'Changes appear by themselves'],
  connecting: ['gray', 'Connecting', 'Changes appear once the connection is open'],
  lost: ['red', 'Offline', 'The connection is lost. Missed changes follow when it is back'],
} as const;

/** Whether the page changes by itself now. */
export function LiveState() {
  const state = useFeedState();
  const [color, word, hint] = states[state];
  return (
    <Tooltip label={hint}>
      <Badge
        variant="dot"
        color={color}
        tt="none"
        role="status"
        aria-live="polite"
        data-state={state}
      >
        {word}
      </Badge>
    </Tooltip>
  );
}
