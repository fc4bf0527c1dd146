import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { RowConfirm } from '../../../commands/confirm.tsx';
import { useList } from '../../../live/use-list.ts';
import type { Column } from '../../../parts/lists/column.ts';
import { textColumn, timeColumn, wordsColumn } from '../../../parts/lists/columns.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Empty } from '../../../parts/lists/empty.tsx';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { StatusBadge } from '../../../parts/texts/status-badge.tsx';
import { MailDrawer } from './mail-drawer.tsx';
import { MailSwitches } from './mail-switches.tsx';
import { MailsDocument, type MailsQuery, ResendMailDocument } from './mails.generated.ts';

type Mail = MailsQuery['mails']['nodes'][number];

const resendMail = {
  does: 'resendMail',
  document: ResendMailDocument,
  title: 'Resend the mail',
  text: 'It is written anew, and sent to the present address of the customer.',
  label: 'Resend',
  done: 'The mail is sent again',
} as const;

/** Events of these kinds lead to mails. */
const kinds = ['invoice', 'payment', 'payment_method', 'subscription', 'alert_crossing'];

/** The mails to a customer, with their content and attempts. */
export function MailsTab({ customerId }: { readonly customerId: string }) {
  const [opened, setOpened] = useState<string>();
  const list = useList(
    MailsDocument,
    { where: { customer: { is: customerId } }, orderBy: 'created_at_desc' as const },
    ({ mails }) => mails,
    { kinds, customerId },
  );
  const columns: readonly Column<Mail>[] = [
    {
      name: 'Mail',
      cell: ({ id, kind, subject }) => (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setOpened(id)}
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          h="auto"
        >
          <span dir="auto">{subject ?? wordsOf(kind)}</span>
        </Button>
      ),
    },
    wordsColumn('Kind', 'kind', { from: 'md' }),
    { name: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
    textColumn('Reason', 'problem', { from: 'lg', c: 'dimmed', maw: 280 }),
    timeColumn('Time', 'createdAt', { isRelative: true, from: 'xs' }),
    {
      name: '',
      isNumber: true,
      cell: ({ id, status }) =>
        status !== 'pending' && (
          <Group justify="flex-end">
            <RowConfirm command={resendMail} variables={{ id }} />
          </Group>
        ),
    },
  ];
  return (
    <Stack gap="xs">
      <MailSwitches customerId={customerId} />
      <DataTable
        label="Mails"
        list={list}
        columns={columns}
        height="max(320px, calc(100dvh - 500px))"
        empty={<Empty title="No mails">Mails about invoices and payments appear here.</Empty>}
      />
      {opened && <MailDrawer id={opened} onClose={() => setOpened(undefined)} />}
    </Stack>
  );
}
