import { useState } from 'react';
import { SaveDialog } from '../../../commands/save-dialog.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { ActiveSwitch } from '../active-switch.tsx';
import { CreateFeatureDocument, UpdateFeatureDocument } from '../catalog.generated.ts';
import type { Feature, Parts } from '../types.ts';
import { type FeatureFields, FeatureInputs, featureInputOf } from './feature-fields.tsx';
import { rolloverFieldsOf } from './rollover-fields.tsx';

interface Props {
  /** The feature that is edited; a new one when absent. */
  readonly feature?: Feature | undefined;
  readonly parts: Parts;
  readonly onClose: () => void;
}

/** Creates a feature, or changes one on all products that grant it. */
export function FeatureDialog({ feature, parts, onClose }: Props) {
  const [fields, setFields] = useState<FeatureFields>({
    named: { name: feature?.name ?? '', slug: feature?.slug ?? '' },
    description: feature?.description ?? '',
    type: feature?.type ?? 'toggle',
    amount: feature?.amount ?? undefined,
    usageMeterId: feature?.usageMeter?.id ?? null,
    resourceId: feature?.resource?.id ?? null,
    renewalFrequency: feature?.renewalFrequency ?? 'every_billing_period',
    per: feature?.per ?? 'item',
    rollover: rolloverFieldsOf(feature?.rollover),
  });
  const active = useField(feature?.active ?? true);
  const input = featureInputOf(fields);
  return (
    <SaveDialog
      name="feature"
      onClose={onClose}
      create={[CreateFeatureDocument, input && { feature: { ...input, type: fields.type } }]}
      update={
        feature && [
          UpdateFeatureDocument,
          input && {
            id: feature.id,
            version: feature.version,
            feature: { ...input, active: active.value },
          },
        ]
      }
    >
      <FeatureInputs
        fields={fields}
        onChange={setFields}
        parts={parts}
        isKept={feature !== undefined}
      />
      {feature && (
        <ActiveSwitch description="An inactive feature ends on every product" {...active} />
      )}
    </SaveDialog>
  );
}
