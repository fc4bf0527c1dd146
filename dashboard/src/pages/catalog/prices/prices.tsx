import { Group, Table, Text } from '@mantine/core';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { priceDetails, priceText } from '../../../parts/texts/price-terms.ts';
import { Dimmed, Mark, Remark } from '../../../parts/texts/small-texts.tsx';
import type { Price } from '../types.ts';
import { PriceMenu } from './price-menu.tsx';

interface Props {
  /** The product or meter of the prices, for screen readers. */
  readonly of: string;
  readonly prices: readonly Price[];
}

/** Prices with their subscriptions and their commands. Retired ones are last. */
export function Prices({ of, prices }: Props) {
  const sorted = prices.toSorted((one, other) => rankOf(one) - rankOf(other));
  return (
    <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
      <Table fz="sm" aria-label={`Prices of ${of}`} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Price</Table.Th>
            <Table.Th>Slug</Table.Th>
            <Table.Th />
            <Table.Th ta="end">Subscriptions</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((price) => (
            <Table.Tr key={price.id} c={price.active ? undefined : 'dimmed'}>
              <Table.Td>
                <Terms price={price} />
              </Table.Td>
              <Table.Td>
                <Dimmed truncate maw={220}>
                  {price.slug}
                </Dimmed>
              </Table.Td>
              <Table.Td>
                <Marks price={price} />
              </Table.Td>
              <Table.Td ta="end">
                {price.type === 'subscription' ? (
                  <RowLink to={`/subscriptions?price=${price.id}`}>
                    {numberText(price.subscriptions.totalCount)}
                  </RowLink>
                ) : (
                  '—'
                )}
              </Table.Td>
              <Table.Td ta="end">
                <PriceMenu price={price} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const rankOf = ({ active, isDefault }: Price) => (isDefault ? 0 : active ? 1 : 2);

function Terms({ price }: { readonly price: Price }) {
  return (
    <>
      {price.name && (
        <Text size="sm" dir="auto">
          {price.name}
        </Text>
      )}
      <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {priceText(price)}
      </Text>
      {priceDetails(price).map((detail) => (
        <Remark key={detail} dir="auto">
          {detail}
        </Remark>
      ))}
    </>
  );
}

function Marks({ price: { isDefault, active, trialPeriodDays } }: { readonly price: Price }) {
  return (
    <Group gap={4}>
      {isDefault && <Mark>Default</Mark>}
      {!active && <Mark variant="default">Retired</Mark>}
      {trialPeriodDays !== null && trialPeriodDays > 0 && (
        <Mark color="blue">{trialPeriodDays} days of trial</Mark>
      )}
    </Group>
  );
}
