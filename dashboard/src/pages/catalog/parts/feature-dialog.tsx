import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
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
  const isKept = feature !== undefined;
  const form = <FeatureInputs fields={fields} onChange={setFields} parts={parts} isKept={isKept} />;
  return feature ? (
    <CommandDialog
      title="Edit the feature"
      onClose={onClose}
      document={UpdateFeatureDocument}
      variables={
        input && {
          id: feature.id,
          version: feature.version,
          feature: { ...input, active: active.value },
        }
      }
      label="Save"
      done="The feature is changed"
    >
      {form}
      <ActiveSwitch description="An inactive feature ends on every product" {...active} />
    </CommandDialog>
  ) : (
    <CommandDialog
      title="New feature"
      onClose={onClose}
      document={CreateFeatureDocument}
      variables={input && { feature: { ...input, type: fields.type } }}
      label="Create"
      done="The feature is created"
    >
      {form}
    </CommandDialog>
  );
}
