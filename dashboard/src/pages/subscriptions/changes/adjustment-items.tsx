import { Box } from '@mantine/core';
import { AmountInput } from '../../../parts/fields/amount-input.tsx';
import { NumberField } from '../../../parts/fields/number-field.tsx';
import { PriceSelect } from '../../../parts/fields/price-select.tsx';
import { RowsInput } from '../../../parts/fields/rows-input.tsx';

/** An item as it shall be after an adjustment. */
export interface AdjustedItem {
  readonly key: string;
  /** The present item that continues; absent for a new one. */
  readonly id?: string;
  readonly name?: string;
  readonly presentPriceId?: string | null;
  readonly priceId: string | null;
  readonly quantity: number | undefined;
  /** The negotiated price of one unit in minor units; that of its price when absent. */
  readonly unitPrice?: number | undefined;
  /** Its discount in percent, null for none; that of the present item when absent. */
  readonly discountPercentage?: number | null | undefined;
}

/** The input of an item; undefined while it is incomplete. An item with another price is a new one. */
export function itemInput({ id, presentPriceId, ...item }: AdjustedItem) {
  const rest = restInput(item);
  if (!rest) return undefined;
  if (id !== undefined && item.priceId === presentPriceId) return { id, ...rest };
  return newItemInput(item);
}

/** The input of a new item; undefined while it is incomplete. */
export function newItemInput(item: Terms & Pick<AdjustedItem, 'priceId'>) {
  const rest = restInput(item);
  return rest && item.priceId !== null ? { priceId: item.priceId, ...rest } : undefined;
}

type Terms = Pick<AdjustedItem, 'quantity' | 'unitPrice' | 'discountPercentage'>;

function restInput({ quantity, unitPrice, discountPercentage }: Terms) {
  if (quantity === undefined) return undefined;
  return {
    quantity,
    ...(unitPrice !== undefined && { unitPrice }),
    ...(discountPercentage !== undefined && { discountPercentage }),
  };
}

/** A further item without a price yet. */
export const anItem = (): AdjustedItem => ({
  key: crypto.randomUUID(),
  priceId: null,
  quantity: 1,
});

interface Props {
  readonly items: readonly AdjustedItem[];
  readonly onChange: (items: readonly AdjustedItem[]) => void;
  readonly pricingModelId: string;
  /** The currency of the items; null while it is unknown, and then none has a price of its own. */
  readonly currency: string | null;
}

/** The items of a subscription: each with a price, a quantity and, where it is negotiated, the price of a unit. */
export function AdjustmentItems({ items, onChange, pricingModelId, currency }: Props) {
  return (
    <RowsInput rows={items} onChange={onChange} name="item" add="Add an item" newRow={anItem}>
      {({ name, presentPriceId, priceId, quantity, unitPrice }, change) => (
        <>
          <Box flex="1 1 180px" miw={0}>
            <PriceSelect
              pricingModelId={pricingModelId}
              currency={currency}
              value={priceId}
              onChange={(priceId) =>
                change({ priceId, unitPrice: undefined, discountPercentage: undefined })
              }
              {...(presentPriceId && { present: { id: presentPriceId, name: name ?? '' } })}
            />
          </Box>
          <NumberField
            label="Quantity"
            w={80}
            min={1}
            value={quantity}
            onChange={(quantity) => change({ quantity })}
          />
          {currency && (
            <Box w={124}>
              <AmountInput
                label="Unit price"
                currency={currency}
                value={unitPrice}
                onChange={(unitPrice) => change({ unitPrice })}
              />
            </Box>
          )}
        </>
      )}
    </RowsInput>
  );
}
