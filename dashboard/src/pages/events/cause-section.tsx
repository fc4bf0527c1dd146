import { List, Stack, Text } from '@mantine/core';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { PageLink, Remark } from '../../parts/texts/small-texts.tsx';
import type { OneEventQuery } from './event.generated.ts';

type Cause = Omit<NonNullable<NonNullable<OneEventQuery['event']>['cause']>, 'causedBy'>;

/** The request or the job that caused events, with all of them. */
export function CauseSection({ title, cause }: { readonly title: string; readonly cause: Cause }) {
  const { actor, operation, events } = cause;
  const name = actor.apiKey?.name ?? actor.job ?? actor.id;
  return (
    <Section title={title}>
      <Stack gap="md">
        <Facts
          facts={[
            ['By', `${wordsOf(actor.type)}: ${name}`],
            ['At', <Instant key="at" at={cause.at} isRelative />],
            [
              'Operation',
              operation &&
                (operation.route
                  ? `${operation.method ?? ''} ${operation.route}`
                  : `${operation.type} ${operation.fields.join(', ')}`),
            ],
            ...(cause.idempotencyKey ? ([['Idempotency key', cause.idempotencyKey]] as const) : []),
          ]}
        />
        <div>
          <Text size="sm" fw={600} mb={4}>
            {events.totalCount} {events.totalCount === 1 ? 'event' : 'events'} of this cause
          </Text>
          <List size="sm" spacing={2}>
            {events.nodes.map(({ id, type, objectId }) => (
              <List.Item key={id}>
                <PageLink to={`/events/${id}`}>{wordsOf(type)}</PageLink>{' '}
                <Remark span style={{ overflowWrap: 'anywhere' }}>
                  {objectId}
                </Remark>
              </List.Item>
            ))}
          </List>
        </div>
      </Stack>
    </Section>
  );
}
