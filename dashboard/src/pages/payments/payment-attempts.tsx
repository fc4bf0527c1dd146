import { Table, Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { PaymentLink } from '../../parts/texts/payment-link.tsx';
import { StatusBadge } from '../../parts/texts/status-badge.tsx';
import type { OnePaymentQuery } from './payment.generated.ts';

type Payment = NonNullable<OnePaymentQuery['payment']>;

/** All payments of the same invoice, and the next attempt to charge it. */
export function Attempts({ payment }: { readonly payment: Payment }) {
  const { id, invoice, subscription } = payment;
  const { paymentsPage, status } = invoice;
  const [next] = subscription?.billingRuns.nodes ?? [];
  const isRetried = status === 'open' && next !== undefined;
  if (paymentsPage.nodes.length < 2 && !isRetried) return null;
  return (
    <Section title={`Payments of invoice ${invoice.invoiceNumber}`}>
      <Table fz="sm" aria-label="Payments of the invoice">
        <Table.Tbody>
          {paymentsPage.nodes.map((each) => (
            <Table.Tr key={each.id} aria-current={each.id === id ? 'page' : undefined}>
              <Table.Td>
                {each.id === id ? (
                  <Text size="sm" fw={600} span>
                    <Money amount={each.amount} currency={each.currency} />, this one
                  </Text>
                ) : (
                  <PaymentLink payment={each} currency={each.currency} />
                )}
              </Table.Td>
              <Table.Td>
                <StatusBadge status={each.status} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{each.failureMessage}</Table.Td>
              <Table.Td ta="end">
                <Instant at={each.chargeDate} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isRetried && (
        <Text size="sm" mt="sm">
          Attempt {next.attemptNumber} is planned for <Instant at={next.scheduledFor} />.
        </Text>
      )}
    </Section>
  );
}
