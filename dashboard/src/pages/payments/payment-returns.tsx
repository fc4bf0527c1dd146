import { Group, Stack, Table, Text } from '@mantine/core';
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
      <Table fz="sm" aria-label="Refunds">
        <Table.Tbody>
          {refundsPage.nodes.map(({ id, amount, status, createdAt, failureMessage, ...refund }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Money amount={amount} currency={currency} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={status} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {failureMessage ?? (refund.origin === 'processor' && 'Made at the processor')}
              </Table.Td>
              <Table.Td visibleFrom="xs">
                {refund.creditNote && (
                  <PageLink to={`/invoices/credit-notes/${refund.creditNote.id}`}>
                    {refund.creditNote.creditNoteNumber}
                  </PageLink>
                )}
              </Table.Td>
              <Table.Td ta="end">
                <Instant at={createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
