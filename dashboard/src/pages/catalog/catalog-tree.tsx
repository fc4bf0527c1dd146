import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../../parts/empty.tsx';
import { numberText } from '../../parts/formats.ts';
import { Section } from '../../parts/section.tsx';
import type { OnePricingModelQuery } from './catalog.generated.ts';
import { NewPriceDialog } from './new-price-dialog.tsx';
import { Prices } from './prices.tsx';
import { EditProductDialog } from './product-dialogs.tsx';

export type Model = NonNullable<OnePricingModelQuery['pricingModel']>;
export type Product = Model['productsPage']['nodes'][number];

/** A pricing model as a tree: its products with their prices and features, and its usage meters. */
export function CatalogTree({ model }: { readonly model: Model }) {
  const products = model.productsPage.nodes;
  const meters = model.usageMetersPage.nodes;
  return (
    <>
      <Section title="Products">
        {products.length === 0 && (
          <Empty title="No products">Create one, or apply a catalog.</Empty>
        )}
        <Accordion
          multiple
          variant="separated"
          defaultValue={products.slice(0, 1).map(({ id }) => id)}
        >
          {products.map((product) => (
            <Accordion.Item key={product.id} value={product.id}>
              <Accordion.Control>
                <Group gap="xs">
                  <Text fw={600} dir="auto">
                    {product.name}
                  </Text>
                  {!product.active && (
                    <Badge variant="default" tt="none">
                      Not for sale
                    </Badge>
                  )}
                  {product.default && (
                    <Badge variant="light" tt="none">
                      Default
                    </Badge>
                  )}
                  <Text size="sm" c="dimmed">
                    {subscribersOf(product)}
                  </Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <ProductParts product={product} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Section>
      <Section title="Usage meters">
        {meters.length === 0 && <Empty title="No usage meters" />}
        <Stack>
          {meters.map(({ id, name, slug, pricesPage }) => (
            <div key={id}>
              <Text fw={600}>
                {name}{' '}
                <Text span size="sm" c="dimmed">
                  {slug}
                </Text>
              </Text>
              <Prices prices={pricesPage.nodes} />
            </div>
          ))}
        </Stack>
      </Section>
    </>
  );
}

function ProductParts({ product }: { readonly product: Product }) {
  const [dialog, setDialog] = useState<'edit' | 'price'>();
  const close = () => setDialog(undefined);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {product.slug}
          {product.description && `: ${product.description}`}
        </Text>
        <Group gap="xs">
          <Button size="compact-xs" variant="default" onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => setDialog('price')}>
            New price
          </Button>
        </Group>
      </Group>
      <Prices prices={product.pricesPage.nodes} />
      {product.features.length > 0 && (
        <Group gap="xs">
          {product.features.map(({ id, name, amount }) => (
            <Badge key={id} variant="light" tt="none" radius="sm">
              {name}
              {amount !== null && `: ${numberText(amount)}`}
            </Badge>
          ))}
        </Group>
      )}
      {dialog === 'edit' && <EditProductDialog product={product} onClose={close} />}
      {dialog === 'price' && <NewPriceDialog product={product} onClose={close} />}
    </Stack>
  );
}

function subscribersOf({ pricesPage }: Product): string {
  const count = pricesPage.nodes.reduce((sum, price) => sum + price.subscriptions.totalCount, 0);
  return count === 1 ? '1 subscription' : `${numberText(count)} subscriptions`;
}
