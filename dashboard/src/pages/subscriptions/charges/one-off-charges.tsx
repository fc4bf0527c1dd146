import { Table } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, PageLink, Remark } from '../../../parts/texts/small-texts.tsx';
import type { OneOffCharge } from './one-off-charge.ts';
import {
  ChangeChargeDialog,
  DeleteChargeDialog,
  NewChargeDialog,
} from './one-off-charge-dialogs.tsx';
import { SubscriptionChargesDocument } from './one-off-charges.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly isEnded: boolean;
}

type Dialog = 'new' | { readonly does: 'change' | 'delete'; readonly charge: OneOffCharge };

/** The one-off charges of a subscription: pending ones, and those that an invoice has billed. */
export function OneOffCharges({ subscriptionId, customerId, isEnded }: Props) {
  const { data, error, reload } = useLive(
    SubscriptionChargesDocument,
    { id: subscriptionId },
    { kinds: ['one_off_charge'], customerId },
  );
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { currency = 'USD', oneOffCharges } = data?.subscription ?? {};
  const charges = oneOffCharges?.nodes;
  return (
    <Section
      title="One-off charges"
      actions={
        !isEnded && (
          <CommandButton
            does="createOneOffCharge"
            size="compact-xs"
            variant="default"
            onClick={() => setDialog('new')}
          >
            Charge once
          </CommandButton>
        )
      }
    >
      {!charges && <Failure error={error} onRetry={reload} />}
      {charges?.length === 0 && <Dimmed>The next invoice has no one-off charge</Dimmed>}
      {charges && charges.length > 0 && (
        <Table.ScrollContainer minWidth={320} type="native" tabIndex={0}>
          <Table fz="sm" aria-label="One-off charges">
            <Table.Tbody>
              {charges.map((charge) => (
                <Row key={charge.id} charge={charge} currency={currency} onOpen={setDialog} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {dialog === 'new' && (
        <NewChargeDialog subscriptionId={subscriptionId} currency={currency} onClose={close} />
      )}
      {dialog && dialog !== 'new' && dialog.does === 'change' && (
        <ChangeChargeDialog charge={dialog.charge} currency={currency} onClose={close} />
      )}
      {dialog && dialog !== 'new' && dialog.does === 'delete' && (
        <DeleteChargeDialog charge={dialog.charge} onClose={close} />
      )}
    </Section>
  );
}

interface RowProps {
  readonly charge: OneOffCharge;
  readonly currency: string;
  readonly onOpen: (dialog: Dialog) => void;
}

function Row({ charge, currency, onOpen }: RowProps) {
  const { name, description, quantity, unitPrice, amount, invoice, status } = charge;
  return (
    <Table.Tr c={status === 'billed' ? 'dimmed' : undefined}>
      <Table.Td>
        <span dir="auto">{name}</span>
        <Remark dir="auto">{description}</Remark>
      </Table.Td>
      <Table.Td>
        {quantity !== 1 && (
          <>
            {numberText(quantity)} × <Money amount={unitPrice} currency={currency} /> ={' '}
          </>
        )}
        <Money amount={amount} currency={currency} />
      </Table.Td>
      <Table.Td align="right">
        {invoice ? (
          <PageLink to={`/invoices/${invoice.id}`}>{invoice.invoiceNumber}</PageLink>
        ) : (
          <>
            <CommandButton
              does="updateOneOffCharge"
              size="compact-xs"
              variant="subtle"
              onClick={() => onOpen({ does: 'change', charge })}
            >
              Change
            </CommandButton>
            <CommandButton
              does="deleteOneOffCharge"
              size="compact-xs"
              variant="subtle"
              color="red"
              onClick={() => onOpen({ does: 'delete', charge })}
            >
              Delete
            </CommandButton>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
