import { TagsInput } from '@mantine/core';
import { SecretCommandDialog } from '../../commands/secret-command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
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
  const isComplete = name.value.trim() && URL.canParse(url.value);
  return (
    <SecretCommandDialog
      title="New webhook"
      onClose={onClose}
      document={CreateWebhookDocument}
      variables={
        isComplete && {
          webhook: {
            name: name.value.trim(),
            url: url.value.trim(),
            filterTypes: filterTypes.value,
          },
        }
      }
      label="Create"
      done="The webhook is created"
      secretTitle="The secret of the webhook"
      secretOf={({ createWebhook: created }) => created?.secret}
    >
      <TextField label="Name" data-autofocus {...name} />
      <TextField label="Address" placeholder="https://example.com/hooks" {...url} />
      <TagsInput
        label="Types of events"
        description="All when empty"
        data={common}
        {...filterTypes}
      />
    </SecretCommandDialog>
  );
}
