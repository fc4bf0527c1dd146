import { RowButton, SectionButton } from '../../../commands/command-button.tsx';
import { RowConfirm } from '../../../commands/confirm.tsx';
import { useLive } from '../../../live/use-live.ts';
import { RowTable } from '../../../parts/lists/row-table.tsx';
import { RowsSection } from '../../../parts/rows-section.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { PageLink, Remark } from '../../../parts/texts/small-texts.tsx';
import type { OneOffCharge } from './one-off-charge.ts';
import { ChangeChargeDialog, NewChargeDialog } from './one-off-charge-dialogs.tsx';
import {
  DeleteOneOffChargeDocument,
  SubscriptionChargesDocument,
} from './one-off-charges.generated.ts';

const deleteCharge = {
  does: 'deleteOneOffCharge',
  document: DeleteOneOffChargeDocument,
  title: 'Delete the charge',
  label: 'Delete',
  color: 'red',
  done: 'The charge is deleted',
} as const;

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly isEnded: boolean;
}

/** The one-off charges of a subscription: pending ones, and those that an invoice has billed. */
export function OneOffCharges({ subscriptionId, customerId, isEnded }: Props) {
  const { data, error, reload } = useLive(
    SubscriptionChargesDocument,
    { id: subscriptionId },
    { kinds: ['one_off_charge'], customerId },
  );
  const { currency = 'USD', oneOffCharges } = data?.subscription ?? {};
  return (
    <RowsSection
      title="One-off charges"
      actions={
        !isEnded && (
          <SectionButton
            does="createOneOffCharge"
            dialog={(onClose) => <NewChargeDialog {...{ subscriptionId, currency, onClose }} />}
          >
            Charge once
          </SectionButton>
        )
      }
      rows={oneOffCharges?.nodes}
      error={error}
      reload={reload}
      empty="The next invoice has no one-off charge"
    >
      <RowTable
        label="One-off charges"
        minWidth={320}
        rows={oneOffCharges?.nodes ?? []}
        isDimmed={({ status }) => status === 'billed'}
        columns={[
          {
            name: 'Name',
            cell: ({ name, description }) => (
              <>
                <span dir="auto">{name}</span>
                <Remark dir="auto">{description}</Remark>
              </>
            ),
          },
          { name: 'Amount', cell: (charge) => amountOf(charge, currency) },
          {
            name: 'Invoice or commands',
            isNumber: true,
            cell: (charge) =>
              charge.invoice ? (
                <PageLink to={`/invoices/${charge.invoice.id}`}>
                  {charge.invoice.invoiceNumber}
                </PageLink>
              ) : (
                <>
                  <RowButton
                    does="updateOneOffCharge"
                    dialog={(onClose) => <ChangeChargeDialog {...{ charge, currency, onClose }} />}
                  >
                    Change
                  </RowButton>
                  <RowConfirm
                    command={deleteCharge}
                    variables={{ id: charge.id }}
                    text={
                      <>
                        No invoice will bill <span dir="auto">{charge.name}</span>.
                      </>
                    }
                  />
                </>
              ),
          },
        ]}
      />
    </RowsSection>
  );
}

const amountOf = ({ quantity, unitPrice, amount }: OneOffCharge, currency: string) => (
  <>
    {quantity !== 1 && (
      <>
        {numberText(quantity)} × <Money amount={unitPrice} currency={currency} /> ={' '}
      </>
    )}
    <Money amount={amount} currency={currency} />
  </>
);
