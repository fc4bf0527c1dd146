import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { PageButton, RowButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { namedColumn, timeColumn, wordsColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ApiKeysDocument, type ApiKeysQuery, RevokeApiKeyDocument } from './settings.generated.ts';

type Row = ApiKeysQuery['apiKeys']['nodes'][number];

/** The keys of the mode, with their scopes. */
export function ApiKeys() {
  const list = useList(
    ApiKeysDocument,
    { orderBy: 'created_at_desc' as const },
    ({ apiKeys }) => apiKeys,
    { kinds: ['api_key'] },
  );
  const columns: readonly Column<Row>[] = [
    namedColumn(
      'Name',
      ({ name }) => name,
      ({ pricingModel }) => pricingModel.name,
    ),
    { name: 'Key', from: 'sm', cell: ({ token }) => <Code>{token}</Code> },
    wordsColumn('Type', 'type', { from: 'xs' }),
    {
      name: 'Scopes',
      from: 'md',
      cell: ({ scopes }) => (
        <Text size="sm" truncate maw={260}>
          {scopes ? scopes.join(', ') : 'All'}
        </Text>
      ),
    },
    timeColumn('Created', 'createdAt', { from: 'lg' }),
    {
      name: '',
      isNumber: true,
      cell: ({ id, name, active }) =>
        active ? (
          <RowButton
            does="revokeApiKey"
            color="red"
            dialog={(onClose) => (
              <CommandDialog
                title={`Revoke the key ${name}`}
                onClose={onClose}
                document={RevokeApiKeyDocument}
                variables={{ id }}
                label="Revoke"
                isDangerous
                done="The key is revoked"
              />
            )}
          >
            Revoke
          </RowButton>
        ) : (
          <Badge variant="default" tt="none">
            Revoked
          </Badge>
        ),
    },
  ];
  return (
    <Stack>
      <Group justify="flex-end">
        <PageButton does="createApiKey" dialog={(onClose) => <NewKeyDialog onClose={onClose} />}>
          New key
        </PageButton>
      </Group>
      <DataTable
        label="Keys"
        list={list}
        columns={columns}
        empty={<Empty title="No keys" />}
        height="calc(100dvh - 330px)"
      />
    </Stack>
  );
}
