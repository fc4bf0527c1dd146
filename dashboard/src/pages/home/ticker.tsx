import { Box, Group, ScrollArea } from '@mantine/core';
import { useFeedState, useRecentEvents } from '../../live/feed.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { PageLink, Remark } from '../../parts/texts/small-texts.tsx';
import classes from './ticker.module.css';

/** The newest events, as they happen. */
export function Ticker() {
  const events = useRecentEvents();
  const state = useFeedState();
  return (
    <Section title="Events" actions={<PageLink to="/events">All events</PageLink>}>
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
              <PageLink to={`/events/${id}`} fw={500} truncate miw={0}>
                {wordsOf(type)}
              </PageLink>
              <Remark style={{ flexShrink: 0 }}>
                <Instant at={occurredAt} isRelative />
              </Remark>
            </Group>
            {customer && (
              <Remark truncate dir="auto">
                {customer.name}
              </Remark>
            )}
          </Box>
        ))}
      </ScrollArea.Autosize>
    </Section>
  );
}
