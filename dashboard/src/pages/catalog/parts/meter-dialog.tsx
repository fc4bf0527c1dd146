import { SaveDialog } from '../../../commands/save-dialog.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { CreateUsageMeterDocument, UpdateUsageMeterDocument } from '../catalog.generated.ts';
import { NameAndSlug, namedOf } from '../name-and-slug.tsx';
import type { Meter } from '../types.ts';

const aggregations = {
  sum: 'The sum of all amounts',
  count: 'The number of events',
  count_distinct_properties: 'The number of different properties',
  max: 'The largest amount',
  last: 'The last amount',
} satisfies Record<Meter['aggregationType'], string>;

/** The aggregation of a meter in words. */
export const aggregationText = (type: Meter['aggregationType']) => aggregations[type];

interface Props {
  /** The meter that is edited; a new one when absent. */
  readonly meter?: Meter | undefined;
  readonly onClose: () => void;
}

/** Creates a usage meter, or changes one. */
export function MeterDialog({ meter, onClose }: Props) {
  const named = useField({ name: meter?.name ?? '', slug: meter?.slug ?? '' });
  const aggregationType = useField(meter?.aggregationType ?? 'sum');
  const taxCode = useField(meter?.taxCode ?? '');
  const complete = namedOf(named.value);
  const usageMeter = complete && {
    ...complete,
    aggregationType: aggregationType.value,
    taxCode: taxCode.value.trim() || null,
  };
  return (
    <SaveDialog
      name="usage meter"
      onClose={onClose}
      create={[CreateUsageMeterDocument, usageMeter && { usageMeter }]}
      update={
        meter && [
          UpdateUsageMeterDocument,
          usageMeter && { id: meter.id, version: meter.version, usageMeter },
        ]
      }
    >
      <NameAndSlug {...named} isKept={meter !== undefined} />
      <Choice
        label="It counts"
        description="This can change until the first usage"
        data={aggregations}
        {...aggregationType}
      />
      <TextField
        label="Tax code"
        description="Tax rates with this code apply to its usage"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...taxCode}
      />
    </SaveDialog>
  );
}
