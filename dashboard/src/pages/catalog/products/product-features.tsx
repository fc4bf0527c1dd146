import { Group, Pill, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { RowButton } from '../../../commands/command-button.tsx';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { useMissingScope } from '../../../commands/permissions.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
import { EndFeatureDocument, GrantFeatureDocument } from '../catalog.generated.ts';
import { featureText } from '../parts/feature-text.ts';
import type { Feature, Product } from '../types.ts';

interface Props {
  readonly product: Product;
  readonly features: readonly Feature[];
}

/** The features that a product grants, and the commands that add and end one. */
export function ProductFeatures({ product, features }: Props) {
  const [ended, setEnded] = useState<Product['productFeatures']['nodes'][number]>();
  const present = product.productFeatures.nodes.filter(({ expiredAt }) => expiredAt === null);
  const mayEnd = useMissingScope('expireProductFeature') === undefined;
  const granted = new Set(present.map(({ feature }) => feature.id));
  const free = features.filter(({ id, active }) => active && !granted.has(id));
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        Features
      </Text>
      {present.length === 0 && <Dimmed>None</Dimmed>}
      {present.map((grant) => (
        <Pill
          key={grant.id}
          size="md"
          withRemoveButton={mayEnd}
          onRemove={() => setEnded(grant)}
          removeButtonProps={{
            'aria-label': `End ${grant.feature.name} on ${product.name}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          <bdi>{featureText(grant.feature)}</bdi>
        </Pill>
      ))}
      <RowButton
        does="createProductFeature"
        disabled={free.length === 0}
        dialog={(onClose) => (
          <AddFeatureDialog product={product} features={free} onClose={onClose} />
        )}
      >
        Add a feature
      </RowButton>
      {ended && (
        <CommandDialog
          title={`End ${ended.feature.name} on ${product.name}`}
          onClose={() => setEnded(undefined)}
          document={EndFeatureDocument}
          variables={{ id: ended.id }}
          label="End it"
          isDangerous
          done="The product does not grant the feature any more"
        />
      )}
    </Group>
  );
}

interface DialogProps extends Props {
  readonly onClose: () => void;
}

function AddFeatureDialog({ product, features, onClose }: DialogProps) {
  const featureId = useField<string | null>(null);
  return (
    <CommandDialog
      title={`Add a feature to ${product.name}`}
      onClose={onClose}
      document={GrantFeatureDocument}
      variables={
        featureId.value !== null && {
          productFeature: { productId: product.id, featureId: featureId.value },
        }
      }
      label="Add"
      done="The product grants the feature"
    >
      <Select
        label="Feature"
        data={features.map((feature) => ({ value: feature.id, label: featureText(feature) }))}
        {...featureId}
        searchable
        data-autofocus
      />
    </CommandDialog>
  );
}
