import { SectionButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { RowsSection } from '../../../parts/rows-section.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { Mark, Remark } from '../../../parts/texts/small-texts.tsx';
import { TopUpTable } from '../../../parts/top-up-table.tsx';
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
  const topUps = data?.subscription?.topUps.nodes;
  return (
    <RowsSection
      title="Bought credits"
      actions={
        <>
          <SectionButton
            does="createPurchase"
            dialog={(onClose) => <BuyDialog {...{ customerId, onClose }} />}
          >
            Buy a package
          </SectionButton>
          <SectionButton
            does="createTopUp"
            dialog={(onClose) => <NewTopUpDialog {...{ subscriptionId, onClose }} />}
          >
            Add a top-up
          </SectionButton>
        </>
      }
      rows={topUps}
      error={error}
      reload={reload}
      empty="No top-up buys credits"
    >
      <TopUpTable
        label="Top-ups"
        minWidth={420}
        rows={topUps ?? []}
        cells={[
          ({ price, quantity, usageMeter }) => (
            <>
              <span dir="auto">{price.product?.name}</span>
              {quantity > 1 && ` × ${numberText(quantity)}`}
              <Remark dir="auto">{usageMeter.name}</Remark>
            </>
          ),
          ({ price, quantity, threshold, mostPerMonth }) => (
            <>
              <Money amount={price.unitPrice * quantity} currency={price.currency} /> at{' '}
              {numberText(threshold)} left, {numberText(mostPerMonth)} a month
            </>
          ),
        ]}
        state={({ pendingPurchaseId }) => pendingPurchaseId && <Mark>Buying</Mark>}
        does="updateTopUp"
        dialog={(topUp, onClose) => <ChangeTopUpDialog {...{ topUp, onClose }} />}
      />
    </RowsSection>
  );
}
