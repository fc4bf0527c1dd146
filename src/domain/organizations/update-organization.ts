import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { changesTo, nameInput } from '../inputs.ts';
import { patch } from '../patch.ts';
import type { Session } from '../session.ts';
import { Organization } from './organization.ts';

export const updateOrganizationInput = z.object({
  organization: z.object(
    changesTo({ name: nameInput, allowMultipleSubscriptionsPerCustomer: z.boolean() }),
  ),
});

/** Changes how the organization of the key does business, in test and in live mode. Errors: BAD_REQUEST. */
export function updateOrganization(
  session: Session,
  { organization: changes }: z.output<typeof updateOrganizationInput>,
): Promise<Organization> {
  return command(session, async ({ em, organizationId }) => {
    const organization = await em.findOneOrFail(Organization, organizationId, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    const { name, allowMultipleSubscriptionsPerCustomer } = changes;
    return patch(organization, { name, allowMultipleSubscriptionsPerCustomer });
  });
}
