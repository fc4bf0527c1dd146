import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { ConnectProcessorDialog } from './connect-processor-dialog.tsx';
import { ProcessorDifferences } from './processor-differences.tsx';
import {
  DisconnectProcessorDocument,
  ProcessorsDocument,
  type ProcessorsQuery,
} from './processors.generated.ts';

type Account = ProcessorsQuery['processorAccounts'][number];

/** The accounts at payment processors of the mode, and the differences from their books. */
export function Processors() {
  const { data, error, reload } = useLive(ProcessorsDocument, {}, { kinds: ['processor_account'] });
  const [isConnecting, setConnecting] = useState(false);
  const [disconnected, setDisconnected] = useState<Account>();
  const accounts = data?.processorAccounts ?? [];
  const isConnected = accounts.some(({ connected }) => connected);
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  return (
    <Stack>
      <Section
        title="Accounts"
        actions={
          <CommandButton does="connectProcessor" size="xs" onClick={() => setConnecting(true)}>
            {isConnected ? 'Replace the key' : 'Connect Stripe'}
          </CommandButton>
        }
      >
        {data && accounts.length === 0 && (
          <Empty title="No processor is connected">
            Test mode charges in a sandbox until an account is connected. Live mode needs one.
          </Empty>
        )}
        {accounts.length > 0 && <Accounts accounts={accounts} onDisconnect={setDisconnected} />}
      </Section>
      {accounts.length > 0 && (
        <Section title="Differences">
          <ProcessorDifferences />
        </Section>
      )}
      {isConnecting && (
        <ConnectProcessorDialog isConnected={isConnected} onClose={() => setConnecting(false)} />
      )}
      <CommandDialog
        title="Disconnect the account"
        isOpen={disconnected !== undefined}
        onClose={() => setDisconnected(undefined)}
        document={DisconnectProcessorDocument}
        variables={disconnected && { id: disconnected.id }}
        label="Disconnect"
        isDangerous
        done="The account is disconnected"
      >
        <Text size="sm">
          The payment methods of the account cannot be charged until it is connected again.
        </Text>
      </CommandDialog>
    </Stack>
  );
}

interface AccountsProps {
  readonly accounts: readonly Account[];
  readonly onDisconnect: (account: Account) => void;
}

function Accounts({ accounts, onDisconnect }: AccountsProps) {
  return (
    <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
      <Table aria-label="Accounts at processors" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th>Key</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Since</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td>
                {wordsOf(account.kind)}: {account.name ?? account.accountReference}
              </Table.Td>
              <Table.Td>
                <Code>…{account.keyEnding}</Code>
              </Table.Td>
              <Table.Td>
                <State account={account} />
              </Table.Td>
              <Table.Td>
                <Instant at={account.createdAt} />
              </Table.Td>
              <Table.Td ta="end">
                {account.connected && (
                  <CommandButton
                    does="disconnectProcessor"
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    onClick={() => onDisconnect(account)}
                  >
                    Disconnect
                  </CommandButton>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function State({ account }: { readonly account: Account }) {
  const { connected, refusedReason, receivesNotices } = account;
  return (
    <>
      <Group gap={4}>
        <Badge color={connected && !refusedReason ? 'teal' : 'red'} variant="light" tt="none">
          {connected ? 'Connected' : 'Disconnected'}
        </Badge>
        {connected && !receivesNotices && (
          <Badge color="orange" variant="light" tt="none">
            Without events
          </Badge>
        )}
      </Group>
      {refusedReason && <Text size="xs">{refusedReason}</Text>}
    </>
  );
}
