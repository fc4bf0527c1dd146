import { Table, Text } from '@mantine/core';
import { Instant } from '../../parts/instant.tsx';
import { intervalText } from '../../parts/interval-text.ts';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import type { OneSubscriptionQuery } from './subscription.generated.ts';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;

/** The items of a subscription: present ones, and those that have ended or begin later. */
export function Items({ subscription }: { readonly subscription: Subscription }) {
  const { itemsPage, currency } = subscription;
  return (
    <Section title="Items">
      <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
        <Table fz="sm" aria-label="Items">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              <Table.Th ta="end">Quantity</Table.Th>
              <Table.Th ta="end">Unit price</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th>To</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {itemsPage.nodes.map(({ id, name, quantity, unitPrice, price, ...item }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  {name}
                  {price?.intervalUnit && (
                    <Text span size="sm" c="dimmed">
                      {' '}
                      {intervalText(price)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end">{quantity}</Table.Td>
                <Table.Td ta="end">
                  <Money amount={unitPrice} currency={currency} />
                </Table.Td>
                <Table.Td>
                  <Instant at={item.addedDate} />
                </Table.Td>
                <Table.Td>
                  <Instant at={item.expiredAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
