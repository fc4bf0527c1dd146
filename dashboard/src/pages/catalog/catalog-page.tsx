import { Group, Skeleton } from '@mantine/core';
import { useNavigate } from 'react-router';
import { PageButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { timeColumn } from '../../parts/lists/columns.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { RowLink } from '../../parts/lists/row-link.tsx';
import { RowTable } from '../../parts/lists/row-table.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Mark } from '../../parts/texts/small-texts.tsx';
import { PricingModelsDocument } from './catalog.generated.ts';
import { ImportDialog } from './import-dialog.tsx';
import { NewPricingModelDialog } from './new-pricing-model-dialog.tsx';

/** The pricing models of the organization and mode. */
function CatalogPage() {
  const navigate = useNavigate();
  const { data, error, reload } = useLive(PricingModelsDocument, {}, { kinds: ['pricing_model'] });
  const models = data?.pricingModels.nodes ?? [];
  const own = data?.viewer?.pricingModel?.id;
  return (
    <Page
      title="Catalog"
      actions={
        <>
          <PageButton
            does="setUpPricingModel"
            variant="default"
            dialog={(onClose) => <ImportDialog onClose={onClose} onApplied={reload} />}
          >
            Apply a document
          </PageButton>
          <PageButton
            does="createPricingModel"
            dialog={(onClose) => (
              <NewPricingModelDialog
                onClose={onClose}
                onCreated={(id) => navigate(`/catalog/${id}`)}
              />
            )}
          >
            New pricing model
          </PageButton>
        </>
      }
    >
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && <Skeleton h={160} role="status" aria-label="Loading" />}
      {data && models.length === 0 && (
        <Empty title="No pricing models">Create one, or apply a document.</Empty>
      )}
      {models.length > 0 && (
        <Section title="Pricing models">
          <RowTable
            label="Pricing models"
            spacing="xs"
            hasHead
            rows={models}
            columns={[
              {
                name: 'Name',
                cell: ({ id, name, isDefault }) => (
                  <Group gap="xs">
                    <RowLink to={`/catalog/${id}`}>{name}</RowLink>
                    {isDefault && <Mark>Default</Mark>}
                    {id === own && <Mark color="blue">Shown on these pages</Mark>}
                  </Group>
                ),
              },
              timeColumn('Created', 'createdAt'),
            ]}
          />
        </Section>
      )}
    </Page>
  );
}

export { CatalogPage as Component };
