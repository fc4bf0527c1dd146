import { Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Remark } from '../../parts/texts/small-texts.tsx';
import { CustomerTokensDocument, RevokeCustomerTokenDocument } from './access.generated.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

/** The tokens with which pages act for a customer. */
export function AccessTab({ customerId }: { readonly customerId: string }) {
  const { data, error, reload } = useLive(
    CustomerTokensDocument,
    { customer: customerId },
    { kinds: ['customer_token'], customerId },
  );
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<string>();
  const tokens = data?.customerTokens.nodes;
  return (
    <Section
      title="Customer tokens"
      actions={
        <CommandButton
          does="createCustomerToken"
          size="compact-xs"
          variant="default"
          onClick={() => setCreating(true)}
        >
          New token
        </CommandButton>
      }
    >
      {!tokens && <Failure error={error} onRetry={reload} />}
      {tokens?.length === 0 && (
        <Empty title="No valid tokens">
          With a token your own page reads and changes the records of this customer for a while.
        </Empty>
      )}
      <Stack>
        {tokens && tokens.length > 0 && (
          <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
            <Table fz="sm" aria-label="Customer tokens">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>May</Table.Th>
                  <Table.Th>Created</Table.Th>
                  <Table.Th>Ends</Table.Th>
                  <Table.Th ta="end">Actions</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tokens.map(({ id, scopes, createdAt, expiresAt, allowedOrigins }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      {scopes.map(wordsOf).join(', ')}
                      {allowedOrigins && <Remark>from {allowedOrigins.join(', ')}</Remark>}
                    </Table.Td>
                    <Table.Td>
                      <Instant at={createdAt} isRelative />
                    </Table.Td>
                    <Table.Td>
                      <Instant at={expiresAt} isRelative />
                    </Table.Td>
                    <Table.Td ta="end">
                      <CommandButton
                        does="revokeCustomerToken"
                        size="compact-xs"
                        variant="subtle"
                        color="red"
                        onClick={() => setRevoked(id)}
                      >
                        Revoke
                      </CommandButton>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Stack>
      {isCreating && <NewTokenDialog customer={customerId} onClose={() => setCreating(false)} />}
      <CommandDialog
        title="Revoke the token"
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        document={RevokeCustomerTokenDocument}
        variables={revoked === undefined ? undefined : { id: revoked }}
        label="Revoke"
        isDangerous
        done="The token is revoked"
      />
    </Section>
  );
}
