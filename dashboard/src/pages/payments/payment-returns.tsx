import { Group, Stack, Text } from '@mantine/core';
import { statusColumn, timeColumn } from '../../parts/lists/columns.tsx';
import { RowTable } from '../../parts/lists/row-table.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Dimmed, PageLink } from '../../parts/texts/small-texts.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import type { OnePaymentQuery } from './payment.generated.ts';

type Payment = NonNullable<OnePaymentQuery['payment']>;

/** The refunds of a payment. */
export function Refunds({ payment: { refundsPage, currency } }: { readonly payment: Payment }) {
  if (refundsPage.nodes.length === 0) return null;
  return (
    <Section title="Refunds">
      <RowTable
        label="Refunds"
        rows={refundsPage.nodes}
        columns={[
          {
            name: 'Amount',
            cell: ({ amount }) => <Money amount={amount} currency={currency} />,
          },
          statusColumn(),
          {
            name: 'Remark',
            from: 'sm',
            cell: ({ failureMessage, origin }) =>
              failureMessage ?? (origin === 'processor' && 'Made at the processor'),
          },
          {
            name: 'Credit note',
            from: 'xs',
            cell: ({ creditNote }) =>
              creditNote && (
                <PageLink to={`/invoices/credit-notes/${creditNote.id}`}>
                  {creditNote.creditNoteNumber}
                </PageLink>
              ),
          },
          { ...timeColumn('Date', 'createdAt'), isNumber: true },
        ]}
      />
    </Section>
  );
}

/** The disputes of a payment. */
export function Disputes({ payment: { disputesPage, currency } }: { readonly payment: Payment }) {
  if (disputesPage.nodes.length === 0) return null;
  return (
    <Section title="Disputes">
      <Stack gap="sm">
        {disputesPage.nodes.map((dispute) => (
          <div key={dispute.id}>
            <Group gap="xs">
              <Money amount={dispute.amount} currency={currency} size="sm" />
              <StatusBadge status={dispute.status} />
              <Text size="sm">{dispute.reason && wordsOf(dispute.reason)}</Text>
            </Group>
            <Dimmed style={{ overflowWrap: 'anywhere' }}>
              Opened <Instant at={dispute.openedAt} />
              {dispute.closedAt !== null && (
                <>
                  , closed <Instant at={dispute.closedAt} />
                </>
              )}
              {dispute.closedAt === null && dispute.evidenceDueAt !== null && (
                <>
                  , evidence due <Instant at={dispute.evidenceDueAt} />
                </>
              )}
              . Withdrawn: <Money amount={dispute.withdrawnAmount} currency={currency} />, fee{' '}
              <Money amount={dispute.fee} currency={currency} />. Reference:{' '}
              {dispute.processorReference}
            </Dimmed>
          </div>
        ))}
      </Stack>
    </Section>
  );
}
