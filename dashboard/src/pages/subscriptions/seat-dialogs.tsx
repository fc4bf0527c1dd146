import { Text } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
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
  const name = useField('');
  const externalId = name.value.trim();
  return (
    <CommandDialog
      title="Claim capacity"
      isOpen={isOpen}
      onClose={onClose}
      document={ClaimSeatDocument}
      variables={externalId ? { subscriptionId, resourceSlug, externalId } : undefined}
      label="Claim"
      done="The capacity is claimed"
      onDone={() => name.onChange('')}
    >
      <TextField
        label="Name"
        description="The person or the thing that uses it, by your own id"
        data-autofocus
        {...name}
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
