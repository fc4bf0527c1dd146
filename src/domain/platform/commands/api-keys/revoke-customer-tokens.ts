import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { endLinks } from '#domain/platform/access/link-epoch.ts';
import { revokeTokens } from '#domain/platform/access/revoke-tokens.ts';

export const revokeCustomerTokensInput = z.object({ customer: z.string() });

/** The revoked tokens of a customer. */
export interface RevokedCustomerTokens {
  readonly customer: Customer;
  readonly customerTokens: readonly CustomerToken[];
}

/**
 * Revokes all valid tokens of a customer, and ends its signed links: those of its mails, to its portal and for frames.
 * Errors: NOT_FOUND.
 */
export function revokeCustomerTokens(
  session: Session,
  { customer: id }: z.output<typeof revokeCustomerTokensInput>,
): Promise<RevokedCustomerTokens> {
  return command(session, async (session) => {
    const customer = await session.em.findOneOrFail(Customer, id);
    await endLinks(session, customer);
    return { customer, customerTokens: await revokeTokens(session, { customer: id }) };
  });
}
