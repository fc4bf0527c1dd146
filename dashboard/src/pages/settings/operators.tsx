import { Badge, Group, Stack, Text } from '@mantine/core';
import { PageButton, RowButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useList } from '../../live/use-list.ts';
import { useLive } from '../../live/use-live.ts';
import { Choice } from '../../parts/fields/choice.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import type { Column } from '../../parts/lists/column.ts';
import { namedColumn, timeColumn, wordsColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { InviteDialog, roles } from './invite-dialog.tsx';
import {
  OperatorsDocument,
  type OperatorsQuery,
  PendingInvitationsDocument,
  RevokeInvitationDocument,
  UpdateOperatorDocument,
} from './operators.generated.ts';

const revokeInvitation = {
  does: 'revokeOperatorInvitation',
  document: RevokeInvitationDocument,
  title: 'Revoke the invitation',
  label: 'Revoke',
  color: 'red',
  isDangerous: true,
  done: 'The invitation is revoked',
} as const;

type Row = OperatorsQuery['operators']['nodes'][number];

/** The people who sign in, and those who are invited. */
export function Operators() {
  const list = useList(
    OperatorsDocument,
    { orderBy: 'created_at_asc' as const },
    ({ operators }) => operators,
    { kinds: ['operator'] },
  );
  const columns: readonly Column<Row>[] = [
    namedColumn(
      'Name',
      ({ name }) => name,
      ({ email }) => email,
    ),
    wordsColumn('Role', 'role'),
    {
      name: 'Second factor',
      from: 'sm',
      cell: ({ hasSecondFactor }) => <Text size="sm">{hasSecondFactor ? 'Yes' : 'No'}</Text>,
    },
    timeColumn('Last sign-in', 'lastSignInAt', { isRelative: true, from: 'md' }),
    {
      name: 'State',
      isNumber: true,
      cell: (row) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {!row.active && (
            <Badge variant="default" tt="none">
              Off
            </Badge>
          )}
          <RowButton
            does="updateOperator"
            dialog={(onClose) => <ChangeDialog operator={row} onClose={onClose} />}
          >
            Change
          </RowButton>
        </Group>
      ),
    },
  ];
  return (
    <Stack>
      <Group justify="flex-end">
        <PageButton does="inviteOperator" dialog={(onClose) => <InviteDialog onClose={onClose} />}>
          Invite
        </PageButton>
      </Group>
      <DataTable
        label="Operators"
        list={list}
        columns={columns}
        height="420px"
        empty={
          <Empty title="No operators">
            Invite the people who work with this page, each with a role of its own.
          </Empty>
        }
      />
      <Invitations />
    </Stack>
  );
}

function Invitations() {
  const { data } = useLive(PendingInvitationsDocument, {}, { kinds: ['operator_invitation'] });
  const pending = data?.operatorInvitations.nodes ?? [];
  if (pending.length === 0) return null;
  return (
    <Section title="Invitations">
      <Stack gap="xs">
        {pending.map(({ id, email, role, expiresAt }) => (
          <Group key={id} justify="space-between">
            <Text size="sm">
              {email}, {wordsOf(role).toLowerCase()}, until <Instant at={expiresAt} />
            </Text>
            <RowConfirm command={revokeInvitation} variables={{ id }} />
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

function ChangeDialog({
  operator: { id, version, ...given },
  onClose,
}: {
  readonly operator: Row;
  readonly onClose: () => void;
}) {
  const role = useField<string | null>(given.role);
  const state = useField<string | null>(given.active ? 'on' : 'off');
  const operator = { role: role.value as 'owner', active: state.value === 'on' };
  const isChanged = role.value !== given.role || operator.active !== given.active;
  return (
    <CommandDialog
      title={`Change ${given.name || given.email}`}
      onClose={onClose}
      document={UpdateOperatorDocument}
      variables={isChanged && { id, version, operator }}
      label="Change"
      done="The operator is changed"
    >
      <Choice label="Role" data={roles} {...role} />
      <Choice label="State" data={{ on: 'May sign in', off: 'Off: all sessions end' }} {...state} />
    </CommandDialog>
  );
}
