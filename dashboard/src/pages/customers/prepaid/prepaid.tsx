import { Anchor, Table } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { Dimmed, Remark } from '../../../parts/texts/small-texts.tsx';
import { TopUpRow } from '../../../parts/top-up-row.tsx';
import { PrepaidOfCustomerDocument } from './prepaid.generated.ts';
import {
  ChangePrepaidTopUpDialog,
  NewPrepaidCreditDialog,
  NewPrepaidTopUpDialog,
  RevokePrepaidDialog,
} from './prepaid-dialogs.tsx';
import type { PrepaidCredit, PrepaidTopUp } from './prepaid-types.ts';

type Dialog =
  | 'credit'
  | 'top-up'
  | { readonly credit: PrepaidCredit }
  | { readonly topUp: PrepaidTopUp };

/** The prepaid credits of a customer, and the rules that buy more. */
export function PrepaidPart({ customerId }: { readonly customerId: string }) {
  const { data, error, reload } = useLive(
    PrepaidOfCustomerDocument,
    { id: customerId },
    { kinds: ['prepaid_credit', 'prepaid_top_up'], customerId },
  );
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const credits = data?.customer?.prepaidCredits.nodes;
  const topUps = data?.customer?.prepaidTopUps.nodes ?? [];
  const currency = data?.customer?.currency ?? data?.organization?.currency ?? 'USD';
  const of = { customerId, currency, onClose: close };
  return (
    <Section
      title="Prepaid credit"
      actions={
        <>
          <CommandButton
            does="createPrepaidCredit"
            size="compact-xs"
            variant="default"
            onClick={() => setDialog('credit')}
          >
            Buy or give
          </CommandButton>
          <CommandButton
            does="createPrepaidTopUp"
            size="compact-xs"
            variant="default"
            onClick={() => setDialog('top-up')}
          >
            Top up
          </CommandButton>
        </>
      }
    >
      {!credits && <Failure error={error} onRetry={reload} />}
      {credits?.length === 0 && <Dimmed>None</Dimmed>}
      {credits && credits.length > 0 && (
        <Table fz="sm" aria-label="Prepaid credits">
          <Table.Tbody>
            {credits.map((credit) => (
              <CreditRow key={credit.id} credit={credit} onOpen={setDialog} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {topUps.length > 0 && (
        <Table fz="sm" aria-label="Prepaid top-ups">
          <Table.Tbody>
            {topUps.map((topUp) => (
              <PrepaidTopUpRow key={topUp.id} topUp={topUp} onOpen={setDialog} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {dialog === 'credit' && <NewPrepaidCreditDialog {...of} />}
      {dialog === 'top-up' && <NewPrepaidTopUpDialog {...of} />}
      {typeof dialog === 'object' && 'credit' in dialog && (
        <RevokePrepaidDialog credit={dialog.credit} onClose={close} />
      )}
      {typeof dialog === 'object' && 'topUp' in dialog && (
        <ChangePrepaidTopUpDialog topUp={dialog.topUp} onClose={close} />
      )}
    </Section>
  );
}

interface CreditProps {
  readonly credit: PrepaidCredit;
  readonly onOpen: (dialog: Dialog) => void;
}

function CreditRow({ credit, onOpen }: CreditProps) {
  const { source, status, currency, amount, remaining, expiresAt, reason, invoice } = credit;
  const parts = (['used', 'expired', 'revoked'] as const).filter((part) => credit[part] > 0);
  return (
    <Table.Tr c={status === 'active' || status === 'pending' ? undefined : 'dimmed'}>
      <Table.Td>
        {wordsOf(source)} of <Money amount={amount} currency={currency} />
        <Remark dir="auto">{reason}</Remark>
        {invoice && (
          <Anchor component={Link} to={`/invoices/${invoice.id}`} size="xs">
            {invoice.invoiceNumber}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>
        {status === 'active' ? (
          <>
            <Money amount={remaining} currency={currency} /> left
          </>
        ) : (
          wordsOf(status)
        )}
        {parts.map((part) => (
          <span key={part}>
            , <Money amount={credit[part]} currency={currency} /> {part}
          </span>
        ))}
        {expiresAt && (
          <Remark>
            Expires <Instant at={expiresAt} />
          </Remark>
        )}
      </Table.Td>
      <Table.Td align="right">
        {!invoice && remaining > 0 && (
          <CommandButton
            does="revokePrepaidCredit"
            size="compact-xs"
            variant="subtle"
            color="red"
            onClick={() => onOpen({ credit })}
          >
            Revoke
          </CommandButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface TopUpProps {
  readonly topUp: PrepaidTopUp;
  readonly onOpen: (dialog: Dialog) => void;
}

function PrepaidTopUpRow({ topUp, onOpen }: TopUpProps) {
  const { currency, threshold, amount, mostPerMonth } = topUp;
  return (
    <TopUpRow topUp={topUp} does="updatePrepaidTopUp" onChange={() => onOpen({ topUp })}>
      <Table.Td>
        Buys <Money amount={amount} currency={currency} /> at{' '}
        <Money amount={threshold} currency={currency} /> left, up to{' '}
        <Money amount={mostPerMonth} currency={currency} /> a month
      </Table.Td>
    </TopUpRow>
  );
}
