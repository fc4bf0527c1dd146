import { Table } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Money } from '../../parts/texts/money.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { taxRows } from '../../parts/texts/tax-texts.ts';
import { SubscriptionUpcomingDocument } from './subscription.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
}

/** The next invoice of a subscription, as it would be now; nothing where none follows. */
export function Upcoming({ subscriptionId, customerId }: Props) {
  const { data } = useLive(
    SubscriptionUpcomingDocument,
    { id: subscriptionId },
    {
      kinds: [
        'subscription',
        'subscription_item',
        'discount_redemption',
        'billing_period',
        'invoice',
        'usage_event',
        'customer',
      ],
      customerId,
    },
  );
  const invoice = data?.upcomingInvoice;
  if (!invoice) return null;
  const { currency, lines, dueDate } = invoice;
  const sums = [
    ...taxRows(invoice, (text) => `${text}, included`),
    ['Credit', -invoice.creditApplied],
    ['Due', invoice.amountDue],
  ] as const;
  return (
    <Section title="Upcoming invoice">
      <Dimmed mb="xs">
        <Instant at={invoice.invoiceDate} />
        {dueDate !== null && dueDate > invoice.invoiceDate && (
          <>
            , due <Instant at={dueDate} />
          </>
        )}
      </Dimmed>
      <Table fz="sm" aria-label="Lines of the upcoming invoice">
        <Table.Tbody>
          {lines.map(({ description, quantity, amount }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids, and all change together
            <Table.Tr key={place}>
              <Table.Td>
                {description} {quantity !== 1 && `× ${numberText(quantity)}`}
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={amount} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
          {sums.map(
            ([name, amount]) =>
              (amount !== 0 || name === 'Due') && (
                <Table.Tr key={name} fw={name === 'Due' ? 600 : undefined}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="end">
                    <Money amount={amount} currency={currency} />
                  </Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
