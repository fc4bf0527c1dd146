import { RowButton, SectionButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { numberText } from '../../../parts/texts/formats.ts';
import { useOwnCurrency } from '../../../parts/use-own-currency.ts';
import { AlertList } from '../../subscriptions/alerts/alert-list.tsx';
import type { AlertRule } from './alert-rule.ts';
import { ChangeAlertRuleDialog, NewAlertRuleDialog } from './alert-rule-dialogs.tsx';
import { AlertRulesDocument } from './alert-rules.generated.ts';

const title = 'Alerts for all customers';

/** The alerts that each customer of the pricing model has, also later ones. */
export function AlertRules() {
  const currency = useOwnCurrency() ?? 'USD';
  const { data, error, reload } = useLive(AlertRulesDocument, {}, { kinds: ['alert_rule'] });
  return (
    <AlertList
      title={title}
      label={title}
      items={data?.alertRules.nodes}
      error={error}
      reload={reload}
      currency={currency}
      actions={
        <SectionButton
          does="createAlertRule"
          dialog={(onClose) => <NewAlertRuleDialog {...{ currency, onClose }} />}
        >
          Add a rule
        </SectionButton>
      }
      columns={[
        {
          name: 'State',
          color: (rule) => (rule.active && rule.failedCustomers > 0 ? 'red' : undefined),
          cell: stateText,
        },
        {
          name: 'Commands',
          isNumber: true,
          cell: (rule) => (
            <RowButton
              does="updateAlertRule"
              dialog={(onClose) => <ChangeAlertRuleDialog {...{ rule, currency, onClose }} />}
            >
              Change
            </RowButton>
          ),
        },
      ]}
    />
  );
}

function stateText({ active, appliedAt, failedCustomers }: AlertRule): string {
  if (!active) return 'Stopped';
  if (appliedAt === null) return 'Is being applied';
  if (failedCustomers === 0) return 'Applied';
  return `Applied; failed for ${numberText(failedCustomers)} customers`;
}
