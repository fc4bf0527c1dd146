import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useFeedState } from '../live/feed.tsx';

/** A short interruption is over before it is worth a sentence; the badge shows it at once. */
const patienceMilliseconds = 1_500;

/** States that the page shows what was known before the connection was lost. */
export function LostNotice() {
  const state = useFeedState();
  const [settled] = useDebouncedValue(state, patienceMilliseconds);
  if (state !== 'lost' || settled !== 'lost') return null;
  return (
    <Alert color="red" variant="light" mb="md" role="alert" title="The connection is lost">
      This page shows the state before. It continues where it stopped when the service is reachable.
    </Alert>
  );
}
