import { Group, Text } from '@mantine/core';
import { RowLink } from '../../../parts/lists/row-link.tsx';
import { type RowColumn, RowTable } from '../../../parts/lists/row-table.tsx';
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
export const Prices = ({ of, prices }: Props) => (
  <RowTable
    label={`Prices of ${of}`}
    minWidth={520}
    spacing={6}
    hasHead
    rows={prices.toSorted((one, other) => rankOf(one) - rankOf(other))}
    isDimmed={({ active }) => !active}
    columns={columns}
  />
);

const columns: readonly RowColumn<Price>[] = [
  { name: 'Price', cell: (price) => <Terms price={price} /> },
  {
    name: 'Slug',
    cell: ({ slug }) => (
      <Dimmed truncate maw={220}>
        {slug}
      </Dimmed>
    ),
  },
  { name: '', cell: (price) => <Marks price={price} /> },
  {
    name: 'Subscriptions',
    isNumber: true,
    cell: ({ id, type, subscriptions }) =>
      type === 'subscription' ? (
        <RowLink to={`/subscriptions?price=${id}`}>{numberText(subscriptions.totalCount)}</RowLink>
      ) : (
        '—'
      ),
  },
  {
    name: 'Actions',
    isNameless: true,
    isNumber: true,
    cell: (price) => <PriceMenu price={price} />,
  },
];

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
