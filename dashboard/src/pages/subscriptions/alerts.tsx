import { Badge, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/section.tsx';
import { ChangeAlertDialog, NewAlertDialog } from './alert-dialogs.tsx';
import { type Alert, amountText, kindTexts } from './alert-texts.ts';
import { SubscriptionAlertsDocument } from './alerts.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly currency: string;
}

/** The alerts that watch a subscription, and whether their thresholds are reached. */
export function Alerts({ subscriptionId, customerId, currency }: Props) {
  const { data, error } = useLive(
    SubscriptionAlertsDocument,
    { subscriptionId, customerId },
    { kinds: ['alert', 'alert_crossing'], customerId },
  );
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<Alert>();
  const alerts = data?.alerts.nodes.filter(
    (alert) => alert.subscriptionId === null || alert.subscriptionId === subscriptionId,
  );
  return (
    <Section
      title="Alerts and limits"
      actions={
        <CommandButton
          does="createAlert"
          size="compact-xs"
          variant="default"
          onClick={() => setAdding(true)}
        >
          Add an alert
        </CommandButton>
      }
    >
      {!alerts && <Failure error={error} />}
      {alerts?.length === 0 && (
        <Text size="sm" c="dimmed">
          None
        </Text>
      )}
      {alerts && alerts.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
          <Table fz="sm" aria-label="Alerts">
            <Table.Tbody>
              {alerts.map((alert) => (
                <Row key={alert.id} alert={alert} currency={currency} onChange={setChanged} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {isAdding && (
        <NewAlertDialog
          subscriptionId={subscriptionId}
          currency={currency}
          onClose={() => setAdding(false)}
        />
      )}
      {changed && (
        <ChangeAlertDialog
          key={changed.id}
          alert={changed}
          currency={currency}
          onClose={() => setChanged(undefined)}
        />
      )}
    </Section>
  );
}

interface RowProps {
  readonly alert: Alert;
  readonly currency: string;
  readonly onChange: (alert: Alert) => void;
}

function Row({ alert, currency, onChange }: RowProps) {
  const { kind, threshold, percentages, hardLimit, active, name, usageMeter, crossings } = alert;
  const [latest] = crossings.nodes;
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
      <Table.Td c={latest && latest.endedAt === null ? 'red' : 'dimmed'}>
        {!active && 'Stopped'}
        {active && !latest && 'Not reached'}
        {active && latest && (
          <>
            {latest.endedAt === null ? 'Reached' : 'Was reached'}:{' '}
            {amountText(kind, latest.value, currency)}
            {latest.percentage !== 100 && ` (${latest.percentage} %)`},{' '}
            <Instant at={latest.createdAt} />
          </>
        )}
      </Table.Td>
      <Table.Td align="right">
        {alert.ruleId === null ? (
          <CommandButton
            does="updateAlert"
            size="compact-xs"
            variant="subtle"
            onClick={() => onChange(alert)}
          >
            Change
          </CommandButton>
        ) : (
          <Text size="xs" c="dimmed">
            For all customers
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
