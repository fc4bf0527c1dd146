import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, nameInput, sameId, slugInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { Resource } from '#domain/model/catalog/resource.ts';

export const updateResourceInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    resource: z.object(
      changesTo({ id: z.string(), slug: slugInput, name: nameInput, active: z.boolean() }),
    ),
  })
  .refine(...sameId('resource'));

export type UpdateResourceInput = z.output<typeof updateResourceInput>;

/**
 * Changes a resource; deactivating it leaves features and claims as they are.
 * Errors: NOT_FOUND; BAD_REQUEST for a taken slug.
 */
export function updateResource(
  session: Session,
  { id, resource, expectedVersion }: UpdateResourceInput,
) {
  return command(session, async ({ em }) => {
    const stored = await em.findOneOrFail(Resource, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(stored, expectedVersion);
    const { slug, name, active } = resource;
    return patch(stored, { slug, name, active });
  });
}
