import { Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, Mark } from '../../../parts/texts/small-texts.tsx';
import type { OneSubscriptionQuery } from '../subscription.generated.ts';
import { isEnded } from '../subscription-actions.tsx';
import type { Phase } from './phase.ts';
import { ChangePhaseDialog, DeletePhaseDialog, NewPhaseDialog } from './phase-dialogs.tsx';
import { SubscriptionPhasesDocument } from './phases.generated.ts';

interface Props {
  readonly subscription: NonNullable<OneSubscriptionQuery['subscription']>;
}

type Dialog = 'new' | { readonly does: 'change' | 'delete'; readonly phase: Phase };

/** The phases of a subscription: planned ones with their items, and those that have started. */
export function Phases({ subscription }: Props) {
  const { id, customer, currency, pricingModelId, renews, isFreePlan, doNotCharge } = subscription;
  const { data, error, reload } = useLive(
    SubscriptionPhasesDocument,
    { id },
    { kinds: ['subscription_phase'], customerId: customer.id },
  );
  const [dialog, setDialog] = useState<Dialog>();
  const place = { currency, pricingModelId, onClose: () => setDialog(undefined) };
  const phases = data?.subscription?.phases.nodes;
  const isPlannable = renews && !isFreePlan && !doNotCharge && !isEnded(subscription);
  if (!isPlannable && !phases?.length) return null;
  return (
    <Section
      title="Phases"
      actions={
        isPlannable && (
          <CommandButton
            does="createSubscriptionPhase"
            size="compact-xs"
            variant="default"
            onClick={() => setDialog('new')}
          >
            Plan a phase
          </CommandButton>
        )
      }
    >
      {!phases && <Failure error={error} onRetry={reload} />}
      {phases?.length === 0 && <Dimmed>The items stay as they are</Dimmed>}
      {phases && phases.length > 0 && (
        <Table.ScrollContainer minWidth={280} type="native" tabIndex={0}>
          <Table fz="sm" aria-label="Phases">
            <Table.Tbody>
              {phases.map((phase) => (
                <Row key={phase.id} phase={phase} currency={currency} onOpen={setDialog} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {dialog === 'new' && <NewPhaseDialog subscriptionId={id} {...place} />}
      {dialog && dialog !== 'new' && dialog.does === 'change' && (
        <ChangePhaseDialog phase={dialog.phase} {...place} />
      )}
      {dialog && dialog !== 'new' && dialog.does === 'delete' && (
        <DeletePhaseDialog phase={dialog.phase} onClose={place.onClose} />
      )}
    </Section>
  );
}

interface RowProps {
  readonly phase: Phase;
  readonly currency: string;
  readonly onOpen: (dialog: Dialog) => void;
}

function Row({ phase, currency, onOpen }: RowProps) {
  const { status, startsAt, expectedAt, startedAt, problem, items } = phase;
  return (
    <Table.Tr c={status === 'planned' ? undefined : 'dimmed'}>
      <Table.Td>
        <Instant at={startedAt ?? expectedAt ?? startsAt} />
        {status !== 'planned' && (
          <Mark ml="xs" variant="default">
            {wordsOf(status)}
          </Mark>
        )}
        {problem && (
          <Text size="xs" c="red" dir="auto">
            {problem}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {items.map(({ priceId, quantity, unitPrice, name, price }) => (
          <Text key={priceId} size="sm">
            <span dir="auto">{name ?? price?.product?.name ?? price?.name}</span> × {quantity} at{' '}
            <Money amount={unitPrice ?? price?.unitPrice ?? 0} currency={currency} />
          </Text>
        ))}
      </Table.Td>
      <Table.Td align="right">
        {status === 'planned' && (
          <>
            <CommandButton
              does="updateSubscriptionPhase"
              size="compact-xs"
              variant="subtle"
              onClick={() => onOpen({ does: 'change', phase })}
            >
              Change
            </CommandButton>
            <CommandButton
              does="deleteSubscriptionPhase"
              size="compact-xs"
              variant="subtle"
              color="red"
              onClick={() => onOpen({ does: 'delete', phase })}
            >
              Delete
            </CommandButton>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
