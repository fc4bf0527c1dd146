import { Text } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextCommandDialog } from '../../commands/text-command-dialog.tsx';
import { ClaimSeatDocument, ReleaseSeatDocument } from './seats.generated.ts';

interface Place {
  readonly subscriptionId: string;
  readonly resourceSlug: string;
  readonly onClose: () => void;
}

/** Claims capacity for a name. */
export const ClaimDialog = ({ subscriptionId, resourceSlug, onClose }: Place) => (
  <TextCommandDialog
    title="Claim capacity"
    onClose={onClose}
    document={ClaimSeatDocument}
    variables={(externalId) => externalId && { subscriptionId, resourceSlug, externalId }}
    label="Claim"
    done="The capacity is claimed"
    field={{
      label: 'Name',
      description: 'The person or the thing that uses it, by your own id',
      'data-autofocus': true,
    }}
  />
);

interface ReleaseProps extends Place {
  readonly claim: { readonly id: string; readonly externalId: string | null };
}

/** Releases a claim. */
export const ReleaseDialog = ({ claim, subscriptionId, resourceSlug, onClose }: ReleaseProps) => (
  <CommandDialog
    title="Release capacity"
    onClose={onClose}
    document={ReleaseSeatDocument}
    variables={{ subscriptionId, resourceSlug, claimIds: [claim.id] }}
    label="Release"
    done="The claim is released"
  >
    <Text size="sm">
      The claim of <b dir="auto">{claim.externalId ?? claim.id}</b> ends now.
    </Text>
  </CommandDialog>
);
