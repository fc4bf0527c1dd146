import { Table } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, Mark, Remark } from '../../../parts/texts/small-texts.tsx';
import { TopUpRow } from '../../../parts/top-up-row.tsx';
import type { TopUp } from './top-up.ts';
import { BuyDialog, ChangeTopUpDialog, NewTopUpDialog } from './top-up-dialogs.tsx';
import { SubscriptionTopUpsDocument } from './top-ups.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
}

/** The rules that buy usage credits for a subscription, and a purchase by hand. */
export function TopUps({ subscriptionId, customerId }: Props) {
  const { data, error, reload } = useLive(
    SubscriptionTopUpsDocument,
    { id: subscriptionId },
    { kinds: ['top_up'], customerId },
  );
  const [dialog, setDialog] = useState<'new' | 'buy'>();
  const [changed, setChanged] = useState<TopUp>();
  const close = () => setDialog(undefined);
  const topUps = data?.subscription?.topUps.nodes;
  return (
    <Section
      title="Bought credits"
      actions={
        <>
          <CommandButton
            does="createPurchase"
            size="compact-xs"
            variant="default"
            onClick={() => setDialog('buy')}
          >
            Buy a package
          </CommandButton>
          <CommandButton
            does="createTopUp"
            size="compact-xs"
            variant="default"
            onClick={() => setDialog('new')}
          >
            Add a top-up
          </CommandButton>
        </>
      }
    >
      {!topUps && <Failure error={error} onRetry={reload} />}
      {topUps?.length === 0 && <Dimmed>No top-up buys credits</Dimmed>}
      {topUps && topUps.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
          <Table fz="sm" aria-label="Top-ups">
            <Table.Tbody>
              {topUps.map((topUp) => (
                <Row key={topUp.id} topUp={topUp} onChange={setChanged} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {dialog === 'new' && <NewTopUpDialog subscriptionId={subscriptionId} onClose={close} />}
      {dialog === 'buy' && <BuyDialog customerId={customerId} onClose={close} />}
      {changed && (
        <ChangeTopUpDialog key={changed.id} topUp={changed} onClose={() => setChanged(undefined)} />
      )}
    </Section>
  );
}

function Row({ topUp, onChange }: { topUp: TopUp; onChange: (topUp: TopUp) => void }) {
  const { price, usageMeter, threshold, quantity, mostPerMonth } = topUp;
  const state = topUp.pendingPurchaseId && <Mark>Buying</Mark>;
  return (
    <TopUpRow topUp={topUp} does="updateTopUp" onChange={() => onChange(topUp)} state={state}>
      <Table.Td>
        <span dir="auto">{price.product?.name}</span>
        {quantity > 1 && ` × ${numberText(quantity)}`}
        <Remark dir="auto">{usageMeter.name}</Remark>
      </Table.Td>
      <Table.Td>
        <Money amount={price.unitPrice * quantity} currency={price.currency} /> at{' '}
        {numberText(threshold)} left, {numberText(mostPerMonth)} a month
      </Table.Td>
    </TopUpRow>
  );
}
