import { Badge, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import { amountText, kindTexts } from '../subscriptions/alert-texts.ts';
import { ChangeAlertRuleDialog, NewAlertRuleDialog } from './alert-rule-dialogs.tsx';
import { AlertRulesDocument, type AlertRulesQuery } from './alert-rules.generated.ts';

export type AlertRule = AlertRulesQuery['alertRules']['nodes'][number];

/** The alerts that each customer of the pricing model has, also later ones. */
export function AlertRules() {
  const currency = useOwnCurrency() ?? 'USD';
  const { data, error } = useLive(AlertRulesDocument, {}, { kinds: ['alert_rule'] });
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<AlertRule>();
  const rules = data?.alertRules.nodes;
  return (
    <Section
      title="Alerts for all customers"
      actions={
        <CommandButton
          does="createAlertRule"
          size="compact-xs"
          variant="default"
          onClick={() => setAdding(true)}
        >
          Add a rule
        </CommandButton>
      }
    >
      {!rules && <Failure error={error} />}
      {rules?.length === 0 && (
        <Text size="sm" c="dimmed">
          None
        </Text>
      )}
      {rules && rules.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
          <Table fz="sm" aria-label="Alerts for all customers">
            <Table.Tbody>
              {rules.map((rule) => (
                <Row key={rule.id} rule={rule} currency={currency} onChange={setChanged} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {isAdding && <NewAlertRuleDialog currency={currency} onClose={() => setAdding(false)} />}
      {changed && (
        <ChangeAlertRuleDialog
          key={changed.id}
          rule={changed}
          currency={currency}
          onClose={() => setChanged(undefined)}
        />
      )}
    </Section>
  );
}

interface RowProps {
  readonly rule: AlertRule;
  readonly currency: string;
  readonly onChange: (rule: AlertRule) => void;
}

function Row({ rule, currency, onChange }: RowProps) {
  const { kind, threshold, percentages, hardLimit, active, name, usageMeter, appliedAt } = rule;
  return (
    <Table.Tr c={active ? undefined : 'dimmed'}>
      <Table.Td>
        {name && <div dir="auto">{name}</div>}
        {kindTexts[kind]}
        {usageMeter && (
          <Text size="xs" c="dimmed" dir="auto">
            {usageMeter.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          {amountText(kind, threshold, currency)}
          {percentages.length > 0 && (
            <Text size="xs" c="dimmed">
              and at {percentages.map((one) => `${one} %`).join(', ')}
            </Text>
          )}
          {hardLimit && (
            <Badge variant="light" color="red" tt="none" radius="sm">
              Hard limit
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        {!active && 'Stopped'}
        {active && (appliedAt === null ? 'Is being applied' : 'Applied')}
      </Table.Td>
      <Table.Td align="right">
        <CommandButton
          does="updateAlertRule"
          size="compact-xs"
          variant="subtle"
          onClick={() => onChange(rule)}
        >
          Change
        </CommandButton>
      </Table.Td>
    </Table.Tr>
  );
}
