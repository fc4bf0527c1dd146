import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { moneyText } from './formats.ts';
import { intervalText } from './interval-text.ts';
import { PricesToChooseDocument } from './prices.generated.ts';

interface Props {
  readonly pricingModelId: string;
  /** Only prices in this currency; all when absent. */
  readonly currency?: string | null;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** The choice of a price that can be subscribed to, by product. */
export function PriceSelect({ pricingModelId, currency, value, onChange }: Props) {
  const [{ data, error }] = useQuery({
    query: PricesToChooseDocument,
    variables: { model: pricingModelId },
  });
  const groups = data?.pricingModel?.productsPage.nodes.flatMap(({ name, activePrices }) => {
    const items = activePrices
      .filter((price) => price.type === 'subscription')
      .filter((price) => !currency || price.currency === currency)
      .map((price) => ({
        value: price.id,
        label: `${price.name ?? name}: ${moneyText(price.unitPrice, price.currency)} ${intervalText(price)}`,
      }));
    return items.length === 0 ? [] : [{ group: name, items }];
  });
  return (
    <Select
      label="Price"
      placeholder="Choose a price"
      data={groups ?? []}
      value={value}
      onChange={onChange}
      searchable
      nothingFoundMessage="No price"
      error={error?.message}
      data-autofocus
    />
  );
}
