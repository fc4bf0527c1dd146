import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { CreateWebhookDocument } from './webhooks.generated.ts';

const common = [
  'customer.created',
  'subscription.created',
  'subscription.updated',
  'invoice.paid',
  'invoice.overdue',
  'payment.succeeded',
  'payment.failed',
];

/** Creates a webhook, and shows its secret. */
export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [filterTypes, setTypes] = useState<string[]>([]);
  const [secret, setSecret] = useState<string>();
  const isComplete = name.trim() && URL.canParse(url);
  return (
    <>
      <CommandDialog
        title="New webhook"
        isOpen={secret === undefined}
        onClose={() => {}}
        document={CreateWebhookDocument}
        variables={
          isComplete ? { webhook: { name: name.trim(), url: url.trim(), filterTypes } } : undefined
        }
        label="Create"
        done="The webhook is created"
        onCancel={onClose}
        onDone={({ createWebhook: created }) => setSecret(created?.secret)}
      >
        <TextField label="Name" data-autofocus value={name} onChange={setName} />
        <TextField
          label="Address"
          placeholder="https://example.com/hooks"
          value={url}
          onChange={setUrl}
        />
        <TagsInput
          label="Types of events"
          description="All when empty"
          data={common}
          value={filterTypes}
          onChange={setTypes}
        />
      </CommandDialog>
      <SecretDialog title="The secret of the webhook" secret={secret} onClose={onClose} />
    </>
  );
}
