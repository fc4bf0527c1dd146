import { CommandDialog } from '../../../commands/command-dialog.tsx';
import type { Alert } from './alert-texts.ts';
import { CreateAlertDocument, UpdateAlertDocument } from './alerts.generated.ts';
import { useChangedTerms, useNewTerms } from './use-alert-terms.tsx';

interface NewProps {
  readonly subscriptionId: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Creates an alert on a subscription. */
export function NewAlertDialog({ subscriptionId, currency, onClose }: NewProps) {
  const { terms, fields } = useNewTerms('usage', currency);
  return (
    <CommandDialog
      title="Add an alert"
      onClose={onClose}
      document={CreateAlertDocument}
      variables={terms && { alert: { ...terms, subscriptionId } }}
      label="Add"
      done="The alert is added"
    >
      {fields}
    </CommandDialog>
  );
}

interface ChangeProps {
  readonly alert: Alert;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Changes the thresholds of an alert, makes it a hard limit, or stops it. */
export function ChangeAlertDialog({ alert, currency, onClose }: ChangeProps) {
  const { id, version } = alert;
  const stopped = 'A stopped alert compares and refuses nothing';
  const { changes, fields } = useChangedTerms(alert, currency, stopped);
  return (
    <CommandDialog
      title="Change the alert"
      onClose={onClose}
      document={UpdateAlertDocument}
      variables={changes && { id, version, alert: changes }}
      label="Change"
      done="The alert is changed"
    >
      {fields}
    </CommandDialog>
  );
}
