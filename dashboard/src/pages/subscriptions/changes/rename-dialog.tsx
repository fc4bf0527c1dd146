import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import {
  type OneSubscriptionQuery,
  UpdateSubscriptionDocument,
} from '../subscription.generated.ts';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
  readonly onClose: () => void;
}

/** Changes the name of a subscription, which the customer sees. */
export function RenameDialog({ subscription, onClose }: Props) {
  const { id, version } = subscription;
  const [text, setText] = useState(subscription.name ?? '');
  const name = text.trim();
  return (
    <CommandDialog
      title="Rename the subscription"
      onClose={onClose}
      document={UpdateSubscriptionDocument}
      variables={
        name && name !== subscription.name ? { id, version, subscription: { name } } : undefined
      }
      label="Rename"
      done="The subscription is renamed"
    >
      <TextInput
        label="Name"
        description="The customer sees it"
        dir="auto"
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </CommandDialog>
  );
}
