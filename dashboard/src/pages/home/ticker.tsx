import { Anchor, Box, Group, ScrollArea, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useFeedState, useRecentEvents } from '../../live/feed.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import classes from './ticker.module.css';

/** The newest events, as they happen. */
export function Ticker() {
  const events = useRecentEvents();
  const state = useFeedState();
  return (
    <Section
      title="Events"
      actions={
        <Anchor component={Link} to="/events" size="sm">
          All events
        </Anchor>
      }
    >
      {events.length === 0 && state === 'live' && (
        <Empty title="Nothing has happened yet">Changes appear here by themselves.</Empty>
      )}
      <ScrollArea.Autosize
        mah={520}
        type="auto"
        scrollbars="y"
        styles={{ content: { display: 'block', minWidth: 0 } }}
        viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': 'Newest events' }}
      >
        {events.map(({ id, type, customer, occurredAt }) => (
          <Box key={id} className={classes.event} data-event={id}>
            <Group justify="space-between" wrap="nowrap" gap="xs" pe="xs">
              <Anchor component={Link} to={`/events/${id}`} size="sm" fw={500} truncate miw={0}>
                {wordsOf(type)}
              </Anchor>
              <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
                <Instant at={occurredAt} isRelative />
              </Text>
            </Group>
            {customer && (
              <Text size="xs" c="dimmed" truncate dir="auto">
                {customer.name}
              </Text>
            )}
          </Box>
        ))}
      </ScrollArea.Autosize>
    </Section>
  );
}
