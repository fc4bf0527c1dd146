import { useState } from 'react';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
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
  const [named, setNamed] = useState({ name: resource?.name ?? '', slug: resource?.slug ?? '' });
  const [active, setActive] = useState(resource?.active ?? true);
  const complete = namedOf(named);
  const form = <NameAndSlug value={named} onChange={setNamed} isKept={resource !== undefined} />;
  if (!resource) {
    return (
      <CommandDialog
        title="New resource"
        onClose={onClose}
        document={CreateResourceDocument}
        variables={complete && { resource: complete }}
        label="Create"
        done="The resource is created"
      >
        {form}
      </CommandDialog>
    );
  }
  return (
    <CommandDialog
      title="Edit the resource"
      onClose={onClose}
      document={UpdateResourceDocument}
      variables={
        complete && {
          id: resource.id,
          version: resource.version,
          resource: { ...complete, active },
        }
      }
      label="Save"
      done="The resource is changed"
    >
      {form}
      <ActiveSwitch
        description="New features can grant its capacity"
        value={active}
        onChange={setActive}
      />
    </CommandDialog>
  );
}
