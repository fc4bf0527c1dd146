import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { wordsOf } from '../../parts/formats.ts';
import { Instant } from '../../parts/instant.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type Invoice = NonNullable<OneInvoiceQuery['invoice']>;

/** The payments and the credit notes of an invoice. */
export function Settlement({ invoice }: { readonly invoice: Invoice }) {
  const { paymentsPage, creditNotes, currency } = invoice;
  return (
    <>
      <Section title="Payments">
        <Stack gap="sm">
          {paymentsPage.nodes.length === 0 && <None />}
          {paymentsPage.nodes.map((payment) => (
            <div key={payment.id}>
              <Group justify="space-between">
                <Group gap="xs">
                  <Anchor component={Link} to={`/payments/${payment.id}`} size="sm">
                    <Money amount={payment.amount} currency={currency} />
                  </Anchor>
                  <StatusBadge status={payment.status} />
                </Group>
                <Text size="sm" c="dimmed">
                  {wordsOf(payment.paymentMethod)}, <Instant at={payment.chargeDate} />
                </Text>
              </Group>
              {payment.failureMessage && (
                <Text size="xs" c="dimmed">
                  {payment.failureMessage}
                </Text>
              )}
            </div>
          ))}
        </Stack>
      </Section>
      {creditNotes.nodes.length > 0 && (
        <Section title="Credit notes">
          <Stack gap="sm">
            {creditNotes.nodes.map(({ id, creditNoteNumber, total, reason, issuedAt, pdfURL }) => (
              <Group key={id} justify="space-between">
                <Anchor href={pdfURL} target="_blank" rel="noreferrer" size="sm">
                  {creditNoteNumber}
                </Anchor>
                <Text size="sm">
                  {wordsOf(reason)}, <Instant at={issuedAt} />
                </Text>
                <Money amount={total} currency={currency} size="sm" />
              </Group>
            ))}
          </Stack>
        </Section>
      )}
    </>
  );
}

const None = () => (
  <Text size="sm" c="dimmed">
    None
  </Text>
);
