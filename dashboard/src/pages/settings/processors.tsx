import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { timeColumn } from '../../parts/lists/columns.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { type RowColumn, RowTable } from '../../parts/lists/row-table.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { ConnectProcessorDialog } from './connect-processor-dialog.tsx';
import { ProcessorDifferences } from './processor-differences.tsx';
import {
  DisconnectProcessorDocument,
  ProcessorsDocument,
  type ProcessorsQuery,
} from './processors.generated.ts';

type Account = ProcessorsQuery['processorAccounts'][number];

const disconnectProcessor = {
  does: 'disconnectProcessor',
  document: DisconnectProcessorDocument,
  title: 'Disconnect the account',
  text: 'The payment methods of the account cannot be charged until it is connected again.',
  label: 'Disconnect',
  color: 'red',
  isDangerous: true,
  done: 'The account is disconnected',
} as const;

/** The accounts at payment processors of the mode, and the differences from their books. */
export function Processors() {
  const { data, error, reload } = useLive(ProcessorsDocument, {}, { kinds: ['processor_account'] });
  const accounts = data?.processorAccounts ?? [];
  const isConnected = accounts.some(({ connected }) => connected);
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  return (
    <Stack>
      <Section
        title="Accounts"
        actions={
          <PageButton
            does="connectProcessor"
            dialog={(onClose) => (
              <ConnectProcessorDialog isConnected={isConnected} onClose={onClose} />
            )}
          >
            {isConnected ? 'Replace the key' : 'Connect Stripe'}
          </PageButton>
        }
      >
        {data && accounts.length === 0 && (
          <Empty title="No processor is connected">
            Test mode charges in a sandbox until an account is connected. Live mode needs one.
          </Empty>
        )}
        {accounts.length > 0 && (
          <RowTable
            label="Accounts at processors"
            minWidth={420}
            hasHead
            rows={accounts}
            columns={columns}
          />
        )}
      </Section>
      {accounts.length > 0 && (
        <Section title="Differences">
          <ProcessorDifferences />
        </Section>
      )}
    </Stack>
  );
}

const columns: readonly RowColumn<Account>[] = [
  {
    name: 'Account',
    cell: ({ kind, name, accountReference }) => `${wordsOf(kind)}: ${name ?? accountReference}`,
  },
  { name: 'Key', cell: ({ keyEnding }) => <Code>…{keyEnding}</Code> },
  { name: 'State', cell: (account) => <State account={account} /> },
  timeColumn('Since', 'createdAt'),
  {
    name: '',
    isNumber: true,
    cell: ({ id, connected }) =>
      connected && <RowConfirm command={disconnectProcessor} variables={{ id }} />,
  },
];

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
