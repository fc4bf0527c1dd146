import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { RowButton } from '../../commands/command-button.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { intervalText } from '../../parts/texts/interval-text.ts';
import { Money } from '../../parts/texts/money.tsx';
import { PriceParts } from '../../parts/texts/price-parts.tsx';
import { Dimmed, Remark } from '../../parts/texts/small-texts.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { itemsOf, ownUnitPrice, type SubscriptionItem } from './items-of.ts';
import { isEnded, type Subscription } from './subscription.ts';

interface Props {
  readonly subscription: Subscription;
  /** The present of its customer. */
  readonly now: number;
}

/** The items of a subscription: those of now, those that a scheduled change begins, and those that have ended. */
export function Items({ subscription, now }: Props) {
  const { itemsPage, currency } = subscription;
  const { current, scheduled, ended } = itemsOf(itemsPage.nodes, now);
  const [isShown, setShown] = useState(current.length === 0);
  const isChangeable = !isEnded(subscription) && !subscription.isFreePlan;
  return (
    <Section
      title="Items"
      actions={
        ended.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'} ended items ({ended.length})
          </Button>
        )
      }
    >
      <Table.ScrollContainer minWidth={300} type="native" tabIndex={0}>
        <Table fz="sm" aria-label="Items">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              <Table.Th ta="end">Quantity</Table.Th>
              <Table.Th ta="end" visibleFrom="sm">
                Unit price
              </Table.Th>
              <Table.Th ta="end">Amount</Table.Th>
              <Table.Th aria-label="Commands" />
            </Table.Tr>
          </Table.Thead>
          <Rows items={current} currency={currency} now={now} isChangeable={isChangeable} />
          <Rows
            items={scheduled}
            currency={currency}
            now={now}
            title="After the scheduled change"
          />
          {isShown && <Rows items={ended} currency={currency} now={now} title="Ended" />}
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

interface RowsProps {
  readonly items: readonly SubscriptionItem[];
  readonly currency: string;
  readonly now: number;
  readonly title?: string;
  readonly isChangeable?: boolean;
}

function Rows({ items, currency, now, title, isChangeable }: RowsProps) {
  if (items.length === 0) return null;
  return (
    <Table.Tbody>
      {title && (
        <Table.Tr>
          <Table.Th scope="rowgroup" colSpan={5} c="dimmed" fw={600}>
            {title}
          </Table.Th>
        </Table.Tr>
      )}
      {items.map((item) => {
        const { id, name, quantity, amount, model, priceParts, price, addedDate, expiredAt } = item;
        const unitPrice = ownUnitPrice(item);
        const each =
          unitPrice === undefined ? (
            wordsOf(model)
          ) : (
            <Money amount={unitPrice} currency={currency} />
          );
        return (
          <Table.Tr key={id}>
            <Table.Td dir="auto">
              {name}
              {price?.intervalUnit && <Dimmed span> {intervalText(price)}</Dimmed>}
              <PriceParts parts={priceParts} currency={currency} />
              <Remark hiddenFrom="sm">
                {unitPrice !== undefined && 'each '}
                {each}
              </Remark>
              <Remark>
                <Lifetime from={addedDate} to={expiredAt} now={now} />
              </Remark>
              {item.trialEnd && (
                <Remark>
                  Free until <Instant at={item.trialEnd} />
                </Remark>
              )}
            </Table.Td>
            <Table.Td ta="end">{quantity}</Table.Td>
            <Table.Td ta="end" visibleFrom="sm">
              {each}
            </Table.Td>
            <Table.Td ta="end">
              <Money amount={amount} currency={currency} />
            </Table.Td>
            <Table.Td ta="end">
              {isChangeable && price && !item.manuallyCreated && (
                <RowButton
                  does="updateSubscriptionItem"
                  aria-label={`Change ${name}`}
                  dialog={(onClose) => <ItemDialog {...{ item, currency, onClose }} />}
                >
                  Change
                </RowButton>
              )}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </Table.Tbody>
  );
}

/** When an item begins and ends. */
function Lifetime({
  from,
  to,
  now,
}: {
  readonly from: number;
  readonly to: number | null | undefined;
  readonly now: number;
}) {
  if (to == null)
    return (
      <>
        {from > now ? 'From' : 'Since'} <Instant at={from} />
      </>
    );
  return (
    <>
      <Instant at={from} /> – <Instant at={to} />
    </>
  );
}
