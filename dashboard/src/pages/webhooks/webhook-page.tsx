import { Alert, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import { useLive } from '../../live/use-live.ts';
import { Facts } from '../../parts/facts.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { Section } from '../../parts/section.tsx';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Deliveries } from './deliveries.tsx';
import {
  DeleteWebhookDocument,
  OneWebhookDocument,
  type OneWebhookQuery,
  ReplayWebhookDocument,
  RotateWebhookSecretDocument,
  SendTestEventDocument,
  UpdateWebhookDocument,
} from './webhooks.generated.ts';

type Webhook = NonNullable<OneWebhookQuery['webhook']>;

const states = ['all', 'pending', 'failed', 'delivered'];
const dayMilliseconds = 86_400_000;
const overlapSeconds = 86_400;

/** A webhook: its deliveries, and the commands to test, replay and change it. */
function WebhookPage() {
  const { id = '' } = useParams();
  const filters = useFilters();
  const result = useLive(OneWebhookDocument, { id }, { kinds: ['webhook'] });
  const state = filters.get('state') ?? 'all';
  return (
    <RecordOr result={result} record={result.data?.webhook} name="webhook">
      {(webhook) => (
        <Page
          title={webhook.name}
          above={[['Webhooks', '/webhooks']]}
          actions={<Actions webhook={webhook} />}
        >
          {!webhook.active && (
            <Alert color="orange" title="Off">
              {webhook.disabledReason ?? 'This webhook gets no events.'}
            </Alert>
          )}
          <Section title="About">
            <Facts
              facts={[
                ['Address', webhook.url],
                [
                  'Types of events',
                  webhook.filterTypes.length === 0 ? 'All' : webhook.filterTypes.join(', '),
                ],
                ['Id', <IdText key="id" id={id} />],
              ]}
            />
          </Section>
          <SegmentedControl
            size="xs"
            aria-label="State"
            data={states.map((value) => ({
              value,
              label: value.charAt(0).toUpperCase() + value.slice(1),
            }))}
            value={state}
            onChange={(value) => filters.set('state', value === 'all' ? undefined : value)}
            style={{ alignSelf: 'flex-start' }}
          />
          <Deliveries webhookId={id} status={state === 'all' ? undefined : state} />
        </Page>
      )}
    </RecordOr>
  );
}

function Actions({ webhook: { id, active } }: { readonly webhook: Webhook }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'test' | 'toggle' | 'replay' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const [since] = useState(() => Date.now() - dayMilliseconds);
  const close = () => setDialog(undefined);
  return (
    <>
      <CommandButton does="sendTestEvent" size="xs" onClick={() => setDialog('test')}>
        Send a test event
      </CommandButton>
      <MoreActions
        onOpen={setDialog}
        actions={[
          ['replay', 'Replay the last day', 'replayWebhook'],
          ['rotate', 'Rotate the secret', 'rotateWebhookSecret'],
          ['toggle', active ? 'Turn off' : 'Turn on', 'updateWebhook'],
          ['delete', 'Delete', 'deleteWebhook', { color: 'red' }],
        ]}
      />
      <CommandDialog
        title="Send a test event"
        isOpen={dialog === 'test'}
        onClose={close}
        document={SendTestEventDocument}
        variables={{ id }}
        label="Send"
        done="The test event is sent"
      />
      <CommandDialog
        title="Replay the last day"
        isOpen={dialog === 'replay'}
        onClose={close}
        document={ReplayWebhookDocument}
        variables={{ id, since }}
        label="Replay"
        done="The events are sent again"
      />
      <CommandDialog
        title={active ? 'Turn the webhook off' : 'Turn the webhook on'}
        isOpen={dialog === 'toggle'}
        onClose={close}
        document={UpdateWebhookDocument}
        variables={{ id, webhook: { active: !active } }}
        label={active ? 'Turn off' : 'Turn on'}
        done="The webhook is changed"
      />
      <CommandDialog
        title="Rotate the secret"
        isOpen={dialog === 'rotate'}
        onClose={close}
        document={RotateWebhookSecretDocument}
        variables={{ id, overlapSeconds }}
        label="Rotate"
        done="Both secrets are valid for a day"
        onDone={({ rotateWebhookSecret: rotated }) => setSecret(rotated?.secret)}
      />
      <CommandDialog
        title="Delete the webhook"
        isOpen={dialog === 'delete'}
        onClose={close}
        document={DeleteWebhookDocument}
        variables={{ id }}
        label="Delete"
        isDangerous
        done="The webhook is deleted"
        onDone={() => navigate('/webhooks')}
      />
      <SecretDialog title="The new secret" secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

export { WebhookPage as Component };
