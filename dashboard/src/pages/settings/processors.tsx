import { Alert, Badge, Code, Stack, Table, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { wordsOf } from '../../parts/formats.ts';
import { Instant } from '../../parts/instant.tsx';
import { ProcessorsDocument } from './settings.generated.ts';

/** The accounts at payment processors. A secret key of an account is entered on the machine of the service. */
export function Processors() {
  const { data, error, reload } = useLive(
    ProcessorsDocument,
    {},
    { kinds: ['processor_account', 'processor_difference'] },
  );
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  const open = data?.processorDifferences.totalCount ?? 0;
  return (
    <Stack>
      {open > 0 && (
        <Alert color="red" title="The books differ">
          {open === 1 ? 'One payment differs' : `${open} payments differ`} between the service and
          the processor.
        </Alert>
      )}
      {data?.processorAccounts.length === 0 && (
        <Empty title="No processor is connected">
          Test mode charges in a sandbox. Connect an account for live mode in the folder of the
          service: <Code>npm run processors -- connect stripe</Code>
        </Empty>
      )}
      {data && data.processorAccounts.length > 0 && (
        <Table aria-label="Accounts at processors">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Account</Table.Th>
              <Table.Th>Key</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Since</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.processorAccounts.map((account) => (
              <Table.Tr key={account.id}>
                <Table.Td>
                  {wordsOf(account.kind)}: {account.name ?? account.accountReference}
                </Table.Td>
                <Table.Td>
                  <Code>…{account.keyEnding}</Code>
                </Table.Td>
                <Table.Td>
                  <Badge
                    color={account.connected && !account.refusedReason ? 'teal' : 'red'}
                    variant="light"
                    tt="none"
                  >
                    {account.connected ? 'Connected' : 'Disconnected'}
                  </Badge>
                  {account.refusedReason && <Text size="xs">{account.refusedReason}</Text>}
                </Table.Td>
                <Table.Td>
                  <Instant at={account.createdAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
