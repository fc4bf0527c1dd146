import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { nameInput, slugInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';

export const createResourceInput = z.object({
  resource: z.object({ slug: slugInput, name: nameInput, active: z.boolean().nullish() }),
});

export type CreateResourceInput = z.output<typeof createResourceInput>;

/** Adds a resource to the key's pricing model. Errors: BAD_REQUEST for a taken slug. */
export function createResource(session: Session, { resource }: CreateResourceInput) {
  return command(session, async ({ em }) =>
    em.create(Resource, {
      slug: resource.slug,
      name: resource.name,
      active: resource.active ?? true,
    }),
  );
}
