import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useList } from '../../live/use-list.ts';
import type { Column } from '../../parts/lists/column.ts';
import { timeColumn } from '../../parts/lists/columns.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed, PageLink, Remark } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import { AttemptsDrawer } from './attempts-drawer.tsx';
import type { Delivery } from './delivery.ts';
import { DeliveriesDocument, RetryDeliveryDocument } from './webhooks.generated.ts';

const retryDelivery = {
  does: 'retryWebhookDelivery',
  document: RetryDeliveryDocument,
  title: 'Retry the delivery',
  label: 'Retry',
  done: 'The delivery is sent again',
} as const;

interface Props {
  readonly webhookId: string;
  readonly status: string | undefined;
}

/** The deliveries of a webhook, with their attempts. */
export function Deliveries({ webhookId, status }: Props) {
  const [opened, setOpened] = useState<Delivery>();
  const list = useList(
    DeliveriesDocument,
    {
      where: {
        webhook: { is: webhookId },
        ...(status && { status: { is: status as 'failed' } }),
      },
      orderBy: 'created_at_desc' as const,
    },
    ({ webhookDeliveries }) => webhookDeliveries,
  );
  const columns: readonly Column<Delivery>[] = [
    {
      name: 'Event',
      cell: ({ eventId, eventType }) => <PageLink to={`/events/${eventId}`}>{eventType}</PageLink>,
    },
    { name: 'State', cell: (delivery) => <State delivery={delivery} /> },
    {
      name: 'Answer',
      from: 'sm',
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return (
          <Dimmed truncate maw={240}>
            {last?.responseStatus ?? last?.error}
          </Dimmed>
        );
      },
    },
    timeColumn('Time', 'createdAt', { isRelative: true, from: 'xs' }),
    {
      name: 'Attempts',
      isNumber: true,
      cell: (delivery) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button size="compact-xs" variant="subtle" onClick={() => setOpened(delivery)}>
            {delivery.attemptCount}
          </Button>
          {delivery.status !== 'delivered' && (
            <RowConfirm command={retryDelivery} variables={{ id: delivery.id }} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <Stack gap="xs">
      <DataTable
        label="Deliveries"
        list={list}
        columns={columns}
        height="calc(100dvh - 420px)"
        empty={<Empty title="No deliveries">Events that are sent appear here.</Empty>}
      />
      <AttemptsDrawer delivery={opened} onClose={() => setOpened(undefined)} />
    </Stack>
  );
}

/** The state of a delivery: failed, where a further attempt follows a failed one. */
function State({ delivery: { status, attemptCount, nextAttemptAt } }: { delivery: Delivery }) {
  if (status !== 'pending' || attemptCount === 0) return <StatusBadge status={status} />;
  return (
    <>
      <StatusBadge status="failed" />
      {nextAttemptAt && (
        <Remark>
          Next attempt <Instant at={nextAttemptAt} isRelative />
        </Remark>
      )}
    </>
  );
}
