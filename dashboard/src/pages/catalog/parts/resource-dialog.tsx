import { SaveDialog } from '../../../commands/save-dialog.tsx';
import { useField } from '../../../parts/fields/use-field.ts';
import { ActiveSwitch } from '../active-switch.tsx';
import { CreateResourceDocument, UpdateResourceDocument } from '../catalog.generated.ts';
import { NameAndSlug, namedOf } from '../name-and-slug.tsx';
import type { Resource } from '../types.ts';

interface Props {
  /** The resource that is edited; a new one when absent. */
  readonly resource?: Resource | undefined;
  readonly onClose: () => void;
}

/** Creates a resource, such as seats, or changes one. */
export function ResourceDialog({ resource, onClose }: Props) {
  const named = useField({ name: resource?.name ?? '', slug: resource?.slug ?? '' });
  const active = useField(resource?.active ?? true);
  const complete = namedOf(named.value);
  return (
    <SaveDialog
      name="resource"
      onClose={onClose}
      create={[CreateResourceDocument, complete && { resource: complete }]}
      update={
        resource && [
          UpdateResourceDocument,
          complete && {
            id: resource.id,
            version: resource.version,
            resource: { ...complete, active: active.value },
          },
        ]
      }
    >
      <NameAndSlug {...named} isKept={resource !== undefined} />
      {resource && <ActiveSwitch description="New features can grant its capacity" {...active} />}
    </SaveDialog>
  );
}
