import { SectionButton } from '../../commands/command-button.tsx';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useLive } from '../../live/use-live.ts';
import { timeColumn } from '../../parts/lists/columns.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { type RowColumn, RowTable } from '../../parts/lists/row-table.tsx';
import { RowsSection } from '../../parts/rows-section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Remark } from '../../parts/texts/small-texts.tsx';
import {
  CustomerTokensDocument,
  type CustomerTokensQuery,
  RevokeCustomerTokenDocument,
} from './access.generated.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

const revokeCustomerToken = {
  does: 'revokeCustomerToken',
  document: RevokeCustomerTokenDocument,
  title: 'Revoke the token',
  label: 'Revoke',
  color: 'red',
  isDangerous: true,
  done: 'The token is revoked',
} as const;

/** The tokens with which pages act for a customer. */
export function AccessTab({ customerId }: { readonly customerId: string }) {
  const { data, error, reload } = useLive(
    CustomerTokensDocument,
    { customer: customerId },
    { kinds: ['customer_token'], customerId },
  );
  const tokens = data?.customerTokens.nodes;
  return (
    <RowsSection
      title="Customer tokens"
      actions={
        <SectionButton
          does="createCustomerToken"
          dialog={(onClose) => <NewTokenDialog customer={customerId} onClose={onClose} />}
        >
          New token
        </SectionButton>
      }
      rows={tokens}
      error={error}
      reload={reload}
      empty={
        <Empty title="No valid tokens">
          With a token your own page reads and changes the records of this customer for a while.
        </Empty>
      }
    >
      <RowTable
        label="Customer tokens"
        minWidth={420}
        hasHead
        rows={tokens ?? []}
        columns={columns}
      />
    </RowsSection>
  );
}

const columns: readonly RowColumn<CustomerTokensQuery['customerTokens']['nodes'][number]>[] = [
  {
    name: 'May',
    cell: ({ scopes, allowedOrigins }) => (
      <>
        {scopes.map(wordsOf).join(', ')}
        {allowedOrigins && <Remark>from {allowedOrigins.join(', ')}</Remark>}
      </>
    ),
  },
  timeColumn('Created', 'createdAt', { isRelative: true }),
  timeColumn('Ends', 'expiresAt', { isRelative: true }),
  {
    name: 'Actions',
    isNumber: true,
    cell: ({ id }) => <RowConfirm command={revokeCustomerToken} variables={{ id }} />,
  },
];
