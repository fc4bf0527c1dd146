import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
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
  const name = useField('');
  const url = useField('');
  const filterTypes = useField<string[]>([]);
  const [secret, setSecret] = useState<string>();
  const isComplete = name.value.trim() && URL.canParse(url.value);
  return (
    <>
      <CommandDialog
        title="New webhook"
        isOpen={secret === undefined}
        onClose={() => {}}
        document={CreateWebhookDocument}
        variables={
          isComplete
            ? {
                webhook: {
                  name: name.value.trim(),
                  url: url.value.trim(),
                  filterTypes: filterTypes.value,
                },
              }
            : undefined
        }
        label="Create"
        done="The webhook is created"
        onCancel={onClose}
        onDone={({ createWebhook: created }) => setSecret(created?.secret)}
      >
        <TextField label="Name" data-autofocus {...name} />
        <TextField label="Address" placeholder="https://example.com/hooks" {...url} />
        <TagsInput
          label="Types of events"
          description="All when empty"
          data={common}
          {...filterTypes}
        />
      </CommandDialog>
      <SecretDialog title="The secret of the webhook" secret={secret} onClose={onClose} />
    </>
  );
}
