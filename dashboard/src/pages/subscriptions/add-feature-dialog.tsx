import { Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { AddFeatureDocument, FeaturesToAddDocument } from './subscription.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly onClose: () => void;
}

/** Grants a subscription a feature besides those of its products. */
export function AddFeatureDialog({ subscriptionId: id, onClose }: Props) {
  const [featureId, setFeature] = useState<string | null>(null);
  const [isNow, setNow] = useState(true);
  const [{ data, error }] = useQuery({ query: FeaturesToAddDocument });
  const features = data?.features.nodes ?? [];
  const isCredit = features.find((each) => each.id === featureId)?.type === 'usage_credit_grant';
  return (
    <CommandDialog
      title="Add a feature"
      onClose={onClose}
      document={AddFeatureDocument}
      variables={
        featureId
          ? { id, featureId, ...(isCredit && { grantCreditsImmediately: isNow }) }
          : undefined
      }
      label="Add"
      done="The feature is added"
    >
      <Select
        label="Feature"
        placeholder="Choose a feature"
        data={features.map(({ id, name, slug, amount }) => ({
          value: id,
          label: `${name}${amount === null ? '' : `: ${numberText(amount)}`} (${slug})`,
        }))}
        value={featureId}
        onChange={setFeature}
        searchable
        nothingFoundMessage="No feature"
        error={error?.message}
        data-autofocus
      />
      {isCredit && (
        <Checkbox
          label="Grant the credits now"
          description="Otherwise they are granted when the next period begins"
          checked={isNow}
          onChange={({ currentTarget }) => setNow(currentTarget.checked)}
        />
      )}
    </CommandDialog>
  );
}
