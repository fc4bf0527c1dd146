import { RowButton, SectionButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Remark } from '../../../parts/texts/small-texts.tsx';
import { ChangeAlertDialog, NewAlertDialog } from './alert-dialogs.tsx';
import { AlertList } from './alert-list.tsx';
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
      reload={reload}
      currency={currency}
      actions={
        <SectionButton
          does="createAlert"
          dialog={(onClose) => <NewAlertDialog {...{ subscriptionId, currency, onClose }} />}
        >
          Add an alert
        </SectionButton>
      }
      columns={[
        {
          name: 'State',
          color: ({ crossings }) => (crossings.nodes[0]?.endedAt === null ? 'red' : 'dimmed'),
          cell: (alert) => stateOf(alert, currency),
        },
        {
          name: 'Commands',
          isNumber: true,
          cell: (alert) =>
            alert.ruleId === null ? (
              <RowButton
                does="updateAlert"
                dialog={(onClose) => <ChangeAlertDialog {...{ alert, currency, onClose }} />}
              >
                Change
              </RowButton>
            ) : (
              <Remark>For all customers</Remark>
            ),
        },
      ]}
    />
  );
}

/** Whether the threshold of an alert is reached. */
function stateOf({ kind, active, crossings }: Alert, currency: string) {
  const [latest] = crossings.nodes;
  if (!active) return 'Stopped';
  if (!latest) return 'Not reached';
  return (
    <>
      {latest.endedAt === null ? 'Reached' : 'Was reached'}:{' '}
      {amountText(kind, latest.value, currency)}
      {latest.percentage !== 100 && ` (${latest.percentage} %)`}, <Instant at={latest.createdAt} />
    </>
  );
}
