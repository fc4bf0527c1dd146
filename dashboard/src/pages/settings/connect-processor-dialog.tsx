import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { ConnectProcessorDocument } from './processors.generated.ts';

interface Props {
  readonly onClose: () => void;
  /** Whether an account is connected, whose key is then replaced. */
  readonly isConnected: boolean;
}

/** Connects the mode to an account of Stripe, or replaces its key. The dry run verifies the key at Stripe. */
export function ConnectProcessorDialog({ onClose, isConnected }: Props) {
  const [secretKey, setSecretKey] = useState('');
  const [webhookSecret, setWebhookSecret] = useState('');
  const signing = webhookSecret.trim();
  return (
    <CommandDialog
      title={isConnected ? 'Replace the key of Stripe' : 'Connect Stripe'}
      onClose={onClose}
      document={ConnectProcessorDocument}
      variables={
        secretKey.trim() && {
          kind: 'stripe',
          secretKey: secretKey.trim(),
          ...(signing && { webhookSecret: signing }),
        }
      }
      label={isConnected ? 'Replace' : 'Connect'}
      done={isConnected ? 'The key is replaced' : 'Stripe is connected'}
    >
      <Dimmed>The key is stored encrypted, and no answer contains it.</Dimmed>
      <PasswordInput
        label="Secret key"
        description="Of the same mode as this page: sk_… or a restricted key rk_…"
        autoComplete="off"
        data-autofocus
        value={secretKey}
        onChange={({ currentTarget }) => setSecretKey(currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
      />
      <PasswordInput
        label="Signing secret of an endpoint"
        description="Only for an endpoint that you have created; otherwise the service creates one at its public address"
        placeholder="whsec_…"
        autoComplete="off"
        value={webhookSecret}
        onChange={({ currentTarget }) => setWebhookSecret(currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the signing secret' }}
      />
    </CommandDialog>
  );
}
