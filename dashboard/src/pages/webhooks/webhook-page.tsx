import { Alert, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { ConfirmButton, confirmItem } from '../../commands/confirm.tsx';
import { MoreActions } from '../../commands/more-actions.tsx';
import { SecretCommandDialog } from '../../commands/secret-command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { AboutSection, idFact } from '../../parts/fact-kinds.tsx';
import { useFilters } from '../../parts/lists/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
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

const commands = {
  sendTestEvent: {
    does: 'sendTestEvent',
    document: SendTestEventDocument,
    title: 'Send a test event',
    label: 'Send',
    opener: 'Send a test event',
    done: 'The test event is sent',
  },
  replayWebhook: {
    does: 'replayWebhook',
    document: ReplayWebhookDocument,
    title: 'Replay the last day',
    label: 'Replay',
    opener: 'Replay the last day',
    done: 'The events are sent again',
  },
  deleteWebhook: {
    does: 'deleteWebhook',
    document: DeleteWebhookDocument,
    title: 'Delete the webhook',
    label: 'Delete',
    color: 'red',
    isDangerous: true,
    done: 'The webhook is deleted',
  },
} as const;

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
          <AboutSection
            facts={[
              ['Address', webhook.url],
              [
                'Types of events',
                webhook.filterTypes.length === 0 ? 'All' : webhook.filterTypes.join(', '),
              ],
              idFact(id),
            ]}
          />
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
  const [since] = useState(() => Date.now() - dayMilliseconds);
  return (
    <>
      <ConfirmButton command={commands.sendTestEvent} variables={{ id }} size="xs" />
      <MoreActions
        actions={[
          confirmItem(commands.replayWebhook, { id, since }),
          [
            'Rotate the secret',
            'rotateWebhookSecret',
            (onClose) => (
              <SecretCommandDialog
                title="Rotate the secret"
                onClose={onClose}
                document={RotateWebhookSecretDocument}
                variables={{ id, overlapSeconds }}
                label="Rotate"
                done="Both secrets are valid for a day"
                secretTitle="The new secret"
                secretOf={({ rotateWebhookSecret: rotated }) => rotated?.secret}
              />
            ),
          ],
          [
            active ? 'Turn off' : 'Turn on',
            'updateWebhook',
            (onClose) => (
              <CommandDialog
                title={active ? 'Turn the webhook off' : 'Turn the webhook on'}
                onClose={onClose}
                document={UpdateWebhookDocument}
                variables={{ id, webhook: { active: !active } }}
                label={active ? 'Turn off' : 'Turn on'}
                done="The webhook is changed"
              />
            ),
          ],
          confirmItem(commands.deleteWebhook, { id }, { onDone: () => navigate('/webhooks') }),
        ]}
      />
    </>
  );
}

export { WebhookPage as Component };
