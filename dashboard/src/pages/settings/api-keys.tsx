import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { timeColumn, wordsColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Remark } from '../../parts/texts/small-texts.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ApiKeysDocument, type ApiKeysQuery, RevokeApiKeyDocument } from './settings.generated.ts';

type Row = ApiKeysQuery['apiKeys']['nodes'][number];

/** The keys of the mode, with their scopes. */
export function ApiKeys() {
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Row>();
  const list = useList(
    ApiKeysDocument,
    { orderBy: 'created_at_desc' as const },
    ({ apiKeys }) => apiKeys,
    { kinds: ['api_key'] },
  );
  const columns: readonly Column<Row>[] = [
    {
      name: 'Name',
      cell: ({ name, pricingModel }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Remark>{pricingModel.name}</Remark>
        </>
      ),
    },
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
      cell: (row) =>
        row.active ? (
          <CommandButton
            does="revokeApiKey"
            size="compact-xs"
            variant="subtle"
            color="red"
            onClick={() => setRevoked(row)}
          >
            Revoke
          </CommandButton>
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
        <CommandButton does="createApiKey" size="xs" onClick={() => setCreating(true)}>
          New key
        </CommandButton>
      </Group>
      <DataTable
        label="Keys"
        list={list}
        columns={columns}
        empty={<Empty title="No keys" />}
        height="calc(100dvh - 330px)"
      />
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      <CommandDialog
        title={`Revoke the key ${revoked?.name ?? ''}`}
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        document={RevokeApiKeyDocument}
        variables={revoked && { id: revoked.id }}
        label="Revoke"
        isDangerous
        done="The key is revoked"
      />
    </Stack>
  );
}
