import { Text } from '@mantine/core';
import { RowButton, SectionButton } from '../../../commands/command-button.tsx';
import { RowConfirm } from '../../../commands/confirm.tsx';
import { useLive } from '../../../live/use-live.ts';
import { RowTable } from '../../../parts/lists/row-table.tsx';
import { RowsSection } from '../../../parts/rows-section.tsx';
import { dayText } from '../../../parts/texts/days.ts';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { Mark, Remark } from '../../../parts/texts/small-texts.tsx';
import { isEnded, type Subscription } from '../subscription.ts';
import type { Phase } from './phase.ts';
import { ChangePhaseDialog, NewPhaseDialog } from './phase-dialogs.tsx';
import { DeleteSubscriptionPhaseDocument, SubscriptionPhasesDocument } from './phases.generated.ts';

const deletePhase = {
  does: 'deleteSubscriptionPhase',
  document: DeleteSubscriptionPhaseDocument,
  title: 'Delete the phase',
  label: 'Delete',
  color: 'red',
  done: 'The phase is deleted',
} as const;

interface Props {
  readonly subscription: Subscription;
}

/** The phases of a subscription: planned ones with their items, and those that have started. */
export function Phases({ subscription }: Props) {
  const { id, customer, currency, pricingModelId, renews, isFreePlan, doNotCharge } = subscription;
  const { data, error, reload } = useLive(
    SubscriptionPhasesDocument,
    { id },
    { kinds: ['subscription_phase'], customerId: customer.id },
  );
  const place = { currency, pricingModelId };
  const phases = data?.subscription?.phases.nodes;
  const isPlannable = renews && !isFreePlan && !doNotCharge && !isEnded(subscription);
  if (!isPlannable && !phases?.length) return null;
  return (
    <RowsSection
      title="Phases"
      actions={
        isPlannable && (
          <SectionButton
            does="createSubscriptionPhase"
            dialog={(onClose) => (
              <NewPhaseDialog subscriptionId={id} {...place} onClose={onClose} />
            )}
          >
            Plan a phase
          </SectionButton>
        )
      }
      rows={phases}
      error={error}
      reload={reload}
      empty="The items stay as they are"
    >
      <RowTable
        label="Phases"
        minWidth={280}
        rows={phases ?? []}
        isDimmed={({ status }) => status !== 'planned'}
        columns={[
          { name: 'Start', cell: startOf },
          { name: 'Items', cell: ({ items }) => items.map((item) => itemOf(item, currency)) },
          {
            name: 'Commands',
            isNumber: true,
            cell: (phase) =>
              phase.status === 'planned' && (
                <>
                  <RowButton
                    does="updateSubscriptionPhase"
                    dialog={(onClose) => <ChangePhaseDialog {...{ phase, onClose }} {...place} />}
                  >
                    Change
                  </RowButton>
                  <RowConfirm
                    command={deletePhase}
                    variables={{ id: phase.id }}
                    text={`The items do not change on ${dayText(phase.startsAt)}.`}
                  />
                </>
              ),
          },
        ]}
      />
    </RowsSection>
  );
}

const startOf = ({ status, startsAt, expectedAt, startedAt, problem }: Phase) => (
  <>
    <Instant at={startedAt ?? expectedAt ?? startsAt} />
    {status !== 'planned' && (
      <Mark ml="xs" variant="default">
        {wordsOf(status)}
      </Mark>
    )}
    {problem && (
      <Remark c="red" dir="auto">
        {problem}
      </Remark>
    )}
  </>
);

const itemOf = (
  { priceId, quantity, unitPrice, name, price }: Phase['items'][number],
  currency: string,
) => (
  <Text key={priceId} size="sm">
    <span dir="auto">{name ?? price?.product?.name ?? price?.name}</span> × {quantity} at{' '}
    <Money amount={unitPrice ?? price?.unitPrice ?? 0} currency={currency} />
  </Text>
);
