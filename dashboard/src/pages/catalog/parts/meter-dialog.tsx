import { SaveDialog } from '../../../commands/save-dialog.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { TextField } from '../../../parts/fields/text-field.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { CreateUsageMeterDocument, UpdateUsageMeterDocument } from '../catalog.generated.ts';
import { NameAndSlug, namedOf } from '../name-and-slug.tsx';
import type { Meter } from '../types.ts';

const aggregations = [
  { value: 'sum', label: 'The sum of all amounts' },
  { value: 'count', label: 'The number of events' },
  { value: 'count_distinct_properties', label: 'The number of different properties' },
  { value: 'max', label: 'The largest amount' },
  { value: 'last', label: 'The last amount' },
] satisfies { value: Meter['aggregationType']; label: string }[];

/** The aggregation of a meter in words. */
export const aggregationText = (type: Meter['aggregationType']) =>
  aggregations.find(({ value }) => value === type)?.label ?? type;

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
