import { Accordion, Group, Stack, Text } from '@mantine/core';
import { CommandButton, SectionButton } from '../../../commands/command-button.tsx';
import { Empty } from '../../../parts/lists/empty.tsx';
import { Section } from '../../../parts/section.tsx';
import { numberText } from '../../../parts/texts/formats.ts';
import { Dimmed, Mark } from '../../../parts/texts/small-texts.tsx';
import { NewPriceDialog } from '../prices/new-price-dialog.tsx';
import { Prices } from '../prices/prices.tsx';
import { ShownOf } from '../shown-of.tsx';
import type { Model, Parts, Product } from '../types.ts';
import { NewProductDialog } from './new-product-dialog.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { ProductFeatures } from './product-features.tsx';

interface Props {
  readonly model: Model;
  readonly parts: Parts;
  readonly currency: string;
}

/** The products of a pricing model, each with its prices and features. */
export function Products({ model, parts, currency }: Props) {
  const { nodes: products, totalCount } = model.productsPage;
  return (
    <Section
      title="Products"
      actions={
        <CommandButton
          does="createProduct"
          size="compact-sm"
          variant="default"
          dialog={(onClose) => (
            <NewProductDialog pricingModelId={model.id} currency={currency} onClose={onClose} />
          )}
        >
          New product
        </CommandButton>
      }
    >
      {products.length === 0 && <Empty title="No products">Create one, or apply a document.</Empty>}
      <Accordion
        multiple
        variant="separated"
        defaultValue={products.slice(0, 4).map(({ id }) => id)}
      >
        {products.map((product) => (
          <Accordion.Item key={product.id} value={product.id}>
            <Accordion.Control>
              <Heading product={product} />
            </Accordion.Control>
            <Accordion.Panel>
              <Branches product={product} parts={parts} currency={currency} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <ShownOf shown={products.length} total={totalCount} />
    </Section>
  );
}

function Heading({ product }: { readonly product: Product }) {
  const count = product.pricesPage.nodes.reduce(
    (sum, { subscriptions }) => sum + subscriptions.totalCount,
    0,
  );
  return (
    <Group gap="xs">
      <Text fw={600} dir="auto">
        {product.name}
      </Text>
      {!product.active && <Mark variant="default">Not for sale</Mark>}
      {product.default && <Mark>For new customers</Mark>}
      {product.addOn && <Mark variant="default">Add-on</Mark>}
      {product.taxCode && <Mark variant="default">Tax code {product.taxCode}</Mark>}
      <Dimmed>{count === 1 ? '1 subscription' : `${numberText(count)} subscriptions`}</Dimmed>
    </Group>
  );
}

interface BranchesProps {
  readonly product: Product;
  readonly parts: Parts;
  readonly currency: string;
}

function Branches({ product, parts, currency }: BranchesProps) {
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Dimmed dir="auto">{product.description ?? product.slug}</Dimmed>
        <Group gap="xs">
          <SectionButton
            does="updateProduct"
            dialog={(onClose) => <ProductDialog product={product} onClose={onClose} />}
          >
            Edit
          </SectionButton>
          <SectionButton
            does="createPrice"
            dialog={(onClose) => (
              <NewPriceDialog
                owner={{ productId: product.id }}
                currency={product.pricesPage.nodes[0]?.currency ?? currency}
                onClose={onClose}
              />
            )}
          >
            New price
          </SectionButton>
        </Group>
      </Group>
      <Prices of={product.name} prices={product.pricesPage.nodes} />
      <ProductFeatures product={product} features={parts.features} />
    </Stack>
  );
}
