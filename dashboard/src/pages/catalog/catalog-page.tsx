import { Badge, Group, NavLink, Paper } from '@mantine/core';
import { Link, Navigate, useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { OnePricingModelDocument, PricingModelsDocument } from './catalog.generated.ts';
import { CatalogActions } from './catalog-actions.tsx';
import { CatalogTree } from './catalog-tree.tsx';

/** The pricing models; the default one is opened. */
function CatalogPage() {
  const { id } = useParams();
  const { data, error, reload } = useLive(PricingModelsDocument, {}, { kinds: ['pricing_model'] });
  const models = data?.pricingModels.nodes ?? [];
  const first = models.find(({ isDefault }) => isDefault) ?? models[0];
  if (!id && first) return <Navigate to={`/catalog/${first.id}`} replace />;
  if (!id) {
    return (
      <Page title="Catalog">
        {error && <Failure error={error} onRetry={reload} />}
        {data && <Empty title="No pricing models">Create a key for one first.</Empty>}
      </Page>
    );
  }
  return <Model id={id} models={models} />;
}

interface Props {
  readonly id: string;
  readonly models: readonly {
    readonly id: string;
    readonly name: string;
    readonly isDefault: boolean;
  }[];
}

function Model({ id, models }: Props) {
  const result = useLive(
    OnePricingModelDocument,
    { id },
    { kinds: ['pricing_model', 'product', 'price', 'feature', 'product_feature', 'usage_meter'] },
  );
  return (
    <RecordOr result={result} record={result.data?.pricingModel} name="pricing model">
      {(model) => (
        <Page
          title={model.name}
          above={[['Catalog', '/catalog']]}
          heading={
            <Group gap="sm">
              {model.name}
              {model.isDefault && (
                <Badge variant="light" tt="none">
                  Default
                </Badge>
              )}
            </Group>
          }
          actions={<CatalogActions model={model} />}
        >
          {models.length > 1 && (
            <Paper withBorder p={4} component="nav" aria-label="Pricing models">
              <Group gap={4}>
                {models.map((other) => (
                  <NavLink
                    key={other.id}
                    component={Link}
                    to={`/catalog/${other.id}`}
                    label={other.name}
                    active={other.id === id}
                    w="auto"
                  />
                ))}
              </Group>
            </Paper>
          )}
          <CatalogTree model={model} />
        </Page>
      )}
    </RecordOr>
  );
}

export { CatalogPage as Component };
