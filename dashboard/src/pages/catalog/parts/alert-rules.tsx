import { Table } from '@mantine/core';
import { useLive } from '../../../live/use-live.ts';
import { numberText } from '../../../parts/texts/formats.ts';
import { useOwnCurrency } from '../../../parts/use-own-currency.ts';
import { AlertList, ChangeButton, TermCells } from '../../subscriptions/alerts/alert-list.tsx';
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
      onRetry={reload}
      adds={{ does: 'createAlertRule', label: 'Add a rule' }}
      row={(rule, change) => (
        <Table.Tr key={rule.id} c={rule.active ? undefined : 'dimmed'}>
          <TermCells of={rule} currency={currency} />
          <Table.Td c={rule.active && rule.failedCustomers > 0 ? 'red' : undefined}>
            {stateText(rule)}
          </Table.Td>
          <Table.Td align="right">
            <ChangeButton does="updateAlertRule" onClick={change} />
          </Table.Td>
        </Table.Tr>
      )}
      newDialog={(close) => <NewAlertRuleDialog currency={currency} onClose={close} />}
      changeDialog={(rule, close) => (
        <ChangeAlertRuleDialog key={rule.id} rule={rule} currency={currency} onClose={close} />
      )}
    />
  );
}

function stateText({ active, appliedAt, failedCustomers }: AlertRule): string {
  if (!active) return 'Stopped';
  if (appliedAt === null) return 'Is being applied';
  if (failedCustomers === 0) return 'Applied';
  return `Applied; failed for ${numberText(failedCustomers)} customers`;
}
