import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { PriceSelect } from '../../parts/price-select.tsx';

/** An item as it shall be after an adjustment. */
export interface AdjustedItem {
  readonly key: string;
  /** The present item that continues; absent for a new one. */
  readonly id?: string;
  readonly name?: string;
  readonly presentPriceId?: string | null;
  readonly priceId: string | null;
  readonly quantity: number | string;
}

/** The input of an item; undefined while it is incomplete. An item with another price is a new one. */
export function itemInput({ id, presentPriceId, priceId, quantity }: AdjustedItem) {
  if (!(Number(quantity) >= 1)) return undefined;
  if (id !== undefined && priceId === presentPriceId) return { id, quantity: Number(quantity) };
  return priceId === null ? undefined : { priceId, quantity: Number(quantity) };
}

interface Props {
  readonly items: readonly AdjustedItem[];
  readonly onChange: (items: readonly AdjustedItem[]) => void;
  readonly pricingModelId: string;
  readonly currency: string;
}

/** The items of an adjustment: each with a price and a quantity. */
export function AdjustmentItems({ items, onChange, pricingModelId, currency }: Props) {
  const change = (key: string, changes: Partial<AdjustedItem>) =>
    onChange(items.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  return (
    <Stack gap="xs">
      {items.map(({ key, name, presentPriceId, priceId, quantity }, place) => (
        <Group
          key={key}
          gap="xs"
          align="flex-end"
          wrap="nowrap"
          role="group"
          aria-label={`Item ${place + 1}`}
        >
          <PriceSelect
            pricingModelId={pricingModelId}
            currency={currency}
            value={priceId}
            onChange={(priceId) => change(key, { priceId })}
            {...(presentPriceId && { present: { id: presentPriceId, name: name ?? '' } })}
          />
          <NumberInput
            label="Quantity"
            w={96}
            min={1}
            allowDecimal={false}
            value={quantity}
            onChange={(quantity) => change(key, { quantity })}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            mb={2}
            disabled={items.length === 1}
            aria-label={`Remove item ${place + 1}`}
            onClick={() => onChange(items.filter((item) => item.key !== key))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() =>
          onChange([...items, { key: crypto.randomUUID(), priceId: null, quantity: 1 }])
        }
      >
        Add an item
      </Button>
    </Stack>
  );
}
