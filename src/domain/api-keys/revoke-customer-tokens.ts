import { z } from 'zod';
import { Customer } from '#domain/customers/customer.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { endLinks } from '#domain/rules/access/link-epoch.ts';
import { revokeTokens } from '#domain/rules/access/revoke-tokens.ts';
import type { CustomerToken } from './customer-token.ts';

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
