import { Alert, Badge } from '@mantine/core';
import { useParams } from 'react-router';
import { useLive } from '../../live/use-live.ts';
import { Page } from '../../parts/page.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { OnePricingModelDocument } from './catalog.generated.ts';
import { CatalogActions } from './catalog-actions.tsx';
import { CatalogTree } from './catalog-tree.tsx';
import { AlertRules } from './parts/alert-rules.tsx';
import { PriceMoves } from './prices/price-moves.tsx';

const kinds = [
  'pricing_model',
  'product',
  'price',
  'feature',
  'product_feature',
  'usage_meter',
  'resource',
  'discount',
  'subscription',
];

/** A pricing model with all of its parts. */
function PricingModelPage() {
  const { id = '' } = useParams();
  const result = useLive(OnePricingModelDocument, { id }, { kinds });
  const { data } = result;
  return (
    <RecordOr result={result} record={data?.pricingModel} name="pricing model">
      {(model) => (
        <Page
          title={model.name}
          above={[['Catalog', '/catalog']]}
          heading={
            <>
              {model.name}{' '}
              {model.isDefault && (
                <Badge variant="light" tt="none">
                  Default
                </Badge>
              )}
            </>
          }
          actions={<CatalogActions model={model} onApplied={result.reload} />}
        >
          {data && data.viewer?.pricingModel?.id === id ? (
            <>
              <CatalogTree model={model} data={data} />
              <PriceMoves />
              <AlertRules />
            </>
          ) : (
            <Alert variant="light" title="Its parts are shown to its own callers">
              You work in another pricing model. Export this one as a document to see and change its
              parts, or sign in with a key of it.
            </Alert>
          )}
        </Page>
      )}
    </RecordOr>
  );
}

export { PricingModelPage as Component };
