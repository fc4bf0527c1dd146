import { Badge, Stack } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { PageButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { EventsTable } from '../events/events-table.tsx';
import { AffectedBalances } from './affected-balances.tsx';
import { ReplaceDialog, VoidDialog } from './correct-dialogs.tsx';
import { AboutUsageEvent, Correction } from './usage-event-parts.tsx';
import { OneUsageEventDocument } from './usage-events.generated.ts';

/** A usage event with its amount, its corrections, and the balances that it changed. */
function UsageEventPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const result = useLive(OneUsageEventDocument, { id }, { kinds: ['usage_event', 'usage_credit'] });
  return (
    <RecordOr result={result} record={result.data?.usageEvent} name="usage event">
      {(event) => (
        <Page
          title={`${numberText(event.amount)} · ${event.usageMeter.name}`}
          above={[
            ['Usage', '/usage'],
            [event.usageMeter.name, `/usage?meter=${event.usageMeter.id}`],
          ]}
          heading={
            <>
              {numberText(event.amount)} · {event.usageMeter.name}{' '}
              <Badge variant="light" tt="none" color={event.voidedAt ? 'gray' : 'teal'}>
                {event.voidedAt ? (event.replacedById ? 'Replaced' : 'Void') : 'Counts'}
              </Badge>
            </>
          }
          actions={
            !event.voidedAt && (
              <>
                <PageButton
                  does="replaceUsageEvent"
                  variant="default"
                  dialog={(onClose) => (
                    <ReplaceDialog
                      row={event}
                      onClose={onClose}
                      onReplaced={(by) => navigate(`/usage/events/${by}`)}
                    />
                  )}
                >
                  Replace
                </PageButton>
                <PageButton
                  does="voidUsageEvent"
                  color="red"
                  variant="light"
                  dialog={(onClose) => <VoidDialog row={event} onClose={onClose} />}
                >
                  Void
                </PageButton>
              </>
            )
          }
        >
          <Stack>
            <Correction event={event} />
            <AboutUsageEvent event={event} />
            <AffectedBalances
              rows={result.data?.ledgerTransactions.nodes ?? []}
              amount={event.amount}
            />
            <Section title="History">
              <EventsTable where={{ object: { is: id } }} height="280px" />
            </Section>
          </Stack>
        </Page>
      )}
    </RecordOr>
  );
}

export { UsageEventPage as Component };
