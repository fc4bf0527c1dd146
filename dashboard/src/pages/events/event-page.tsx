import { Button, Code, ScrollArea, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { customerFact } from '../../parts/fact-kinds.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { pathOfObject } from '../../parts/texts/object-path.ts';
import { CauseSection } from './cause-section.tsx';
import { OneEventDocument } from './event.generated.ts';

/** One event: its change, its object, and the chain of its causes. */
function EventPage() {
  const { id = '' } = useParams();
  const result = useLive(OneEventDocument, { id }, { kinds: [] });
  return (
    <RecordOr result={result} record={result.data?.event} name="event">
      {(event) => {
        const path = pathOfObject(event.objectType, event.objectId);
        const changes = Object.keys((event.previousAttributes as object | null) ?? {});
        return (
          <Page
            title={wordsOf(event.type)}
            above={[['Events', '/events']]}
            actions={
              path && (
                <Button component={Link} to={path} size="xs">
                  Open the {wordsOf(event.objectType).toLowerCase()}
                </Button>
              )
            }
          >
            <Section title="Event">
              <Facts
                facts={[
                  ['Type', event.type],
                  ['Sequence', event.sequence],
                  ['Time', <Instant key="time" at={event.occurredAt} isRelative />],
                  ['Object', <IdText key="object" id={event.objectId} />],
                  ['Version of the object', event.objectVersion],
                  event.customer ? customerFact(event.customer) : ['Customer', null],
                ]}
              />
            </Section>
            {changes.length > 0 && (
              <Section title="Before the change">
                <Json value={event.previousAttributes} label="The values before" />
              </Section>
            )}
            {event.cause && <CauseSection title="Cause" cause={event.cause} />}
            {event.cause?.causedBy && (
              <CauseSection title="Cause of the cause" cause={event.cause.causedBy} />
            )}
            <Section title="Data">
              <Json value={event.data} label="The data" />
            </Section>
          </Page>
        );
      }}
    </RecordOr>
  );
}

function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <Stack>
      <ScrollArea.Autosize mah={480} viewportProps={{ tabIndex: 0, 'aria-label': label }}>
        <Code block>{JSON.stringify(value, null, 2)}</Code>
      </ScrollArea.Autosize>
    </Stack>
  );
}

export { EventPage as Component };
