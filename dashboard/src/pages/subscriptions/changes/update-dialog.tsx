import type { ComponentProps } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import {
  UpdateSubscriptionDocument,
  type UpdateSubscriptionMutationVariables,
} from '../subscription.generated.ts';
import type { SubscriptionDialogProps } from '../subscription.ts';

type Props = SubscriptionDialogProps &
  Pick<ComponentProps<typeof CommandDialog>, 'title' | 'done' | 'children'> & {
    readonly label?: string;
    /** The changes of the form; nothing while there are none. */
    readonly changes: UpdateSubscriptionMutationVariables['subscription'] | false;
  };

/** Changes fields of a subscription. */
export function UpdateDialog({ subscription, changes, label = 'Change', ...props }: Props) {
  const { id, version } = subscription;
  const isChanged = changes && Object.keys(changes).length > 0;
  return (
    <CommandDialog
      {...props}
      label={label}
      document={UpdateSubscriptionDocument}
      variables={isChanged && { id, version, subscription: changes }}
    />
  );
}
