import { Text } from '@mantine/core';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { useChangedTerms, useNewTerms } from '../../subscriptions/alerts/use-alert-terms.tsx';
import type { AlertRule } from './alert-rule.ts';
import { CreateAlertRuleDocument, UpdateAlertRuleDocument } from './alert-rules.generated.ts';

interface NewProps {
  readonly currency: string;
  readonly onClose: () => void;
}

/** Gives each customer of the pricing model an alert. */
export function NewAlertRuleDialog({ currency, onClose }: NewProps) {
  const { terms, fields } = useNewTerms('spend', currency);
  return (
    <CommandDialog
      title="Add an alert for all customers"
      onClose={onClose}
      document={CreateAlertRuleDocument}
      variables={terms && { alertRule: terms }}
      label="Add"
      done="The rule is added, and is being applied"
    >
      {fields}
    </CommandDialog>
  );
}

interface ChangeProps extends NewProps {
  readonly rule: AlertRule;
}

/** Changes the thresholds of a rule, makes it a hard limit, or stops it. */
export function ChangeAlertRuleDialog({ rule, currency, onClose }: ChangeProps) {
  const { id, version, subscriberCount } = rule;
  const stopped = 'A stopped rule compares and refuses nothing';
  const { changes, fields } = useChangedTerms(rule, currency, stopped);
  return (
    <CommandDialog
      title="Change the alert for all customers"
      onClose={onClose}
      document={UpdateAlertRuleDocument}
      variables={changes && { id, version, alertRule: changes }}
      label="Change"
      done="The rule is changed, and is being applied"
      more={
        changes && (
          <Text size="sm">It concerns {numberText(subscriberCount)} customers at present</Text>
        )
      }
    >
      {fields}
    </CommandDialog>
  );
}
