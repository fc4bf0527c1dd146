import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { ClaimSeatDocument, ReleaseSeatDocument } from './seats.generated.ts';

interface Place {
  readonly subscriptionId: string;
  readonly resourceSlug: string;
  readonly onClose: () => void;
}

/** Claims capacity for a name. */
export function ClaimDialog({
  isOpen,
  subscriptionId,
  resourceSlug,
  onClose,
}: Place & { readonly isOpen: boolean }) {
  const [name, setName] = useState('');
  const externalId = name.trim();
  return (
    <CommandDialog
      title="Claim capacity"
      isOpen={isOpen}
      onClose={onClose}
      document={ClaimSeatDocument}
      variables={externalId ? { subscriptionId, resourceSlug, externalId } : undefined}
      label="Claim"
      done="The capacity is claimed"
      onDone={() => setName('')}
    >
      <TextInput
        label="Name"
        description="The person or the thing that uses it, by your own id"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </CommandDialog>
  );
}

/** Releases a claim. */
export function ReleaseDialog({
  claim,
  subscriptionId,
  resourceSlug,
  onClose,
}: Place & { readonly claim: { readonly id: string; readonly name: string } | undefined }) {
  return (
    <CommandDialog
      title="Release capacity"
      isOpen={claim !== undefined}
      onClose={onClose}
      document={ReleaseSeatDocument}
      variables={claim && { subscriptionId, resourceSlug, claimIds: [claim.id] }}
      label="Release"
      done="The claim is released"
    >
      <Text size="sm">
        The claim of <b dir="auto">{claim?.name}</b> ends now.
      </Text>
    </CommandDialog>
  );
}
