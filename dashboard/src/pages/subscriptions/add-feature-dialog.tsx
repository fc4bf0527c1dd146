import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { CheckField } from '../../parts/fields/check-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { AddFeatureDocument, FeaturesToAddDocument } from './subscription.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly onClose: () => void;
}

/** Grants a subscription a feature besides those of its products. */
export function AddFeatureDialog({ subscriptionId: id, onClose }: Props) {
  const featureId = useField<string | null>(null);
  const isNow = useField(true);
  const [{ data, error }] = useQuery({ query: FeaturesToAddDocument });
  const features = data?.features.nodes ?? [];
  const isCredit =
    features.find((each) => each.id === featureId.value)?.type === 'usage_credit_grant';
  return (
    <CommandDialog
      title="Add a feature"
      onClose={onClose}
      document={AddFeatureDocument}
      variables={
        featureId.value && {
          id,
          featureId: featureId.value,
          ...(isCredit && { grantCreditsImmediately: isNow.value }),
        }
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
        {...featureId}
        searchable
        nothingFoundMessage="No feature"
        error={error?.message}
        data-autofocus
      />
      {isCredit && (
        <CheckField
          label="Grant the credits now"
          description="Otherwise they are granted when the next period begins"
          {...isNow}
        />
      )}
    </CommandDialog>
  );
}
