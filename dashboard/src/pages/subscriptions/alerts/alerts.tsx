import { Table } from '@mantine/core';
import { useLive } from '../../../live/use-live.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Remark } from '../../../parts/texts/small-texts.tsx';
import { ChangeAlertDialog, NewAlertDialog } from './alert-dialogs.tsx';
import { AlertList, ChangeButton, TermCells } from './alert-list.tsx';
import { type Alert, amountText } from './alert-texts.ts';
import { SubscriptionAlertsDocument } from './alerts.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly currency: string;
}

/** The alerts that watch a subscription, and whether their thresholds are reached. */
export function Alerts({ subscriptionId, customerId, currency }: Props) {
  const { data, error, reload } = useLive(
    SubscriptionAlertsDocument,
    { subscriptionId, customerId },
    { kinds: ['alert', 'alert_crossing'], customerId },
  );
  const alerts = data?.alerts.nodes.filter(
    (alert) => alert.subscriptionId === null || alert.subscriptionId === subscriptionId,
  );
  return (
    <AlertList
      title="Alerts and limits"
      label="Alerts"
      items={alerts}
      error={error}
      onRetry={reload}
      adds={{ does: 'createAlert', label: 'Add an alert' }}
      row={(alert, change) => (
        <Row key={alert.id} alert={alert} currency={currency} onChange={change} />
      )}
      newDialog={(close) => (
        <NewAlertDialog subscriptionId={subscriptionId} currency={currency} onClose={close} />
      )}
      changeDialog={(alert, close) => (
        <ChangeAlertDialog key={alert.id} alert={alert} currency={currency} onClose={close} />
      )}
    />
  );
}

interface RowProps {
  readonly alert: Alert;
  readonly currency: string;
  readonly onChange: () => void;
}

function Row({ alert, currency, onChange }: RowProps) {
  const { kind, active, crossings } = alert;
  const [latest] = crossings.nodes;
  return (
    <Table.Tr c={active ? undefined : 'dimmed'}>
      <TermCells of={alert} currency={currency} />
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
          <ChangeButton does="updateAlert" onClick={onChange} />
        ) : (
          <Remark>For all customers</Remark>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
