import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { startingPriceText } from '../texts/price-terms.ts';
import { PricesToChooseDocument } from './prices.generated.ts';

interface Props {
  readonly pricingModelId: string;
  /** Only prices in this currency; all when absent. */
  readonly currency?: string | null;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** A price that can stay even where it is no longer for sale. */
  readonly present?: { readonly id: string; readonly name: string };
}

/** The choice of a price that can be subscribed to, by product. */
export function PriceSelect({ pricingModelId, currency, value, onChange, present }: Props) {
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
        label: `${price.name ?? name}: ${startingPriceText(price)}`,
      }));
    return items.length === 0 ? [] : [{ group: name, items }];
  });
  const isForSale = groups?.some(({ items }) => items.some((item) => item.value === present?.id));
  const kept =
    present && groups && !isForSale
      ? [{ group: 'At present', items: [{ value: present.id, label: present.name }] }]
      : [];
  return (
    <Select
      label="Price"
      placeholder="Choose a price"
      data={[...kept, ...(groups ?? [])]}
      value={value}
      onChange={onChange}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No price"
      error={error?.message}
      data-autofocus
      flex={1}
      miw={0}
    />
  );
}
