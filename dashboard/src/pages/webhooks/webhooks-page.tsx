import { Badge, Text } from '@mantine/core';
import { PageButton } from '../../commands/command-button.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { textColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { Page } from '../../parts/page.tsx';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { WebhooksDocument, type WebhooksQuery } from './webhooks.generated.ts';

type Row = WebhooksQuery['webhooks']['nodes'][number];

const columns: readonly Column<Row>[] = [
  { name: 'Name', cell: ({ id, name }) => <RowLink to={`/webhooks/${id}`}>{name}</RowLink> },
  textColumn('Address', 'url', { from: 'xs', maw: 420 }),
  {
    name: 'State',
    cell: ({ active, disabledReason }) => (
      <Badge
        variant="light"
        tt="none"
        radius="sm"
        color={active ? 'teal' : 'gray'}
        title={disabledReason ?? undefined}
      >
        {active ? 'Active' : 'Off'}
      </Badge>
    ),
  },
  {
    name: 'Events',
    from: 'sm',
    cell: ({ filterTypes }) => (
      <Text size="sm">{filterTypes.length === 0 ? 'All' : `${filterTypes.length} types`}</Text>
    ),
  },
];

/** The endpoints that get events. */
function WebhooksPage() {
  const list = useList(WebhooksDocument, {}, ({ webhooks }) => webhooks, { kinds: ['webhook'] });
  return (
    <Page
      title="Webhooks"
      actions={
        <PageButton
          does="createWebhook"
          dialog={(onClose) => <CreateWebhookDialog onClose={onClose} />}
        >
          New webhook
        </PageButton>
      }
    >
      <DataTable
        label="Webhooks"
        list={list}
        columns={columns}
        pathOf={({ id }) => `/webhooks/${id}`}
        empty={<Empty title="No webhooks">A webhook sends events to an address of yours.</Empty>}
      />
    </Page>
  );
}

export { WebhooksPage as Component };
