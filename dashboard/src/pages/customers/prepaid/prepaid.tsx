import { SectionButton } from '../../../commands/command-button.tsx';
import { RowConfirm } from '../../../commands/confirm.tsx';
import { useLive } from '../../../live/use-live.ts';
import { RowTable } from '../../../parts/lists/row-table.tsx';
import { RowsSection } from '../../../parts/rows-section.tsx';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Money } from '../../../parts/texts/money.tsx';
import { PageLink, Remark } from '../../../parts/texts/small-texts.tsx';
import { TopUpTable } from '../../../parts/top-up-table.tsx';
import { PrepaidOfCustomerDocument, RevokePrepaidCreditDocument } from './prepaid.generated.ts';
import {
  ChangePrepaidTopUpDialog,
  NewPrepaidCreditDialog,
  NewPrepaidTopUpDialog,
} from './prepaid-dialogs.tsx';
import type { PrepaidCredit, PrepaidTopUp } from './prepaid-types.ts';

const revokeCredit = {
  does: 'revokePrepaidCredit',
  document: RevokePrepaidCreditDocument,
  title: 'Revoke the credit',
  label: 'Revoke',
  color: 'red',
  done: 'The credit is revoked',
} as const;

/** The prepaid credits of a customer, and the rules that buy more. */
export function PrepaidPart({ customerId }: { readonly customerId: string }) {
  const { data, error, reload } = useLive(
    PrepaidOfCustomerDocument,
    { id: customerId },
    { kinds: ['prepaid_credit', 'prepaid_top_up'], customerId },
  );
  const credits = data?.customer?.prepaidCredits.nodes;
  const topUps = data?.customer?.prepaidTopUps.nodes ?? [];
  const currency = data?.customer?.currency ?? data?.organization?.currency ?? 'USD';
  return (
    <RowsSection
      title="Prepaid credit"
      actions={
        <>
          <SectionButton
            does="createPrepaidCredit"
            dialog={(onClose) => <NewPrepaidCreditDialog {...{ customerId, currency, onClose }} />}
          >
            Buy or give
          </SectionButton>
          <SectionButton
            does="createPrepaidTopUp"
            dialog={(onClose) => <NewPrepaidTopUpDialog {...{ customerId, currency, onClose }} />}
          >
            Top up
          </SectionButton>
        </>
      }
      rows={credits}
      error={error}
      reload={reload}
      empty="None"
      below={
        topUps.length > 0 && (
          <TopUpTable
            label="Prepaid top-ups"
            rows={topUps}
            cells={[termsOf]}
            does="updatePrepaidTopUp"
            dialog={(topUp, onClose) => <ChangePrepaidTopUpDialog {...{ topUp, onClose }} />}
          />
        )
      }
    >
      <RowTable
        label="Prepaid credits"
        rows={credits ?? []}
        isDimmed={({ status }) => status !== 'active' && status !== 'pending'}
        columns={[
          { name: 'Credit', cell: sourceOf },
          { name: 'Use', cell: useOf },
          {
            name: 'Commands',
            isNumber: true,
            cell: (credit) =>
              !credit.invoice &&
              credit.remaining > 0 && (
                <RowConfirm
                  command={revokeCredit}
                  variables={{ id: credit.id }}
                  text={
                    <>
                      The customer loses the{' '}
                      <Money amount={credit.remaining} currency={credit.currency} /> that are left.
                    </>
                  }
                />
              ),
          },
        ]}
      />
    </RowsSection>
  );
}

const sourceOf = ({ source, amount, currency, reason, invoice }: PrepaidCredit) => (
  <>
    {wordsOf(source)} of <Money amount={amount} currency={currency} />
    <Remark dir="auto">{reason}</Remark>
    {invoice && (
      <PageLink to={`/invoices/${invoice.id}`} size="xs">
        {invoice.invoiceNumber}
      </PageLink>
    )}
  </>
);

/** The rest of a credit, and the uses of its other parts. */
function useOf(credit: PrepaidCredit) {
  const { status, currency, remaining, expiresAt } = credit;
  const parts = (['used', 'expired', 'revoked'] as const).filter((part) => credit[part] > 0);
  return (
    <>
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
    </>
  );
}

const termsOf = ({ currency, threshold, amount, mostPerMonth }: PrepaidTopUp) => (
  <>
    Buys <Money amount={amount} currency={currency} /> at{' '}
    <Money amount={threshold} currency={currency} /> left, up to{' '}
    <Money amount={mostPerMonth} currency={currency} /> a month
  </>
);
