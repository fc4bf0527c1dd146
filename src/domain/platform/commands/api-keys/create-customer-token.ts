import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { originsInput } from '#domain/kernel/inputs/origins-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { requireScopes } from '#domain/platform/access/require-scopes.ts';
import { tokenText } from '#domain/platform/access/token-text.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';

/** The shortest, the usual and the longest life of a token. */
const tokenSeconds = { least: 60, usual: 3_600, most: 86_400 } as const;

export const createCustomerTokenInput = z.object({
  customer: z.string(),
  scopes: listInput(z.enum(customerTokenScopes), customerTokenScopes.length).nullish(),
  expiresIn: z.int().min(tokenSeconds.least).max(tokenSeconds.most).nullish(),
  allowedOrigins: originsInput.nullish(),
});

/** A token with its text, which only the response to its creation contains. */
export interface IssuedCustomerToken {
  readonly customerToken: CustomerToken;
  readonly token: string;
}

/** A signed link whose session the token is. It was signed to end no later than its key. */
export interface SignedLink {
  /** The `linkEpoch` of the customer for which it was signed. */
  readonly epoch: number;
  readonly expiresAt: Date;
}

/**
 * Issues a token of one customer for a browser. It reads, and does what its scopes say. It ends with its time, its
 * revocation, the archiving of the customer or the revocation of the calling key, and never outlives that key. A rotation of the key keeps
 * its links, so a token of such a link ends with the link.
 * Errors: BAD_REQUEST for an unknown or archived customer, and for a link that was ended; FORBIDDEN for a scope that the calling key lacks.
 */
export function createCustomerToken(
  session: Session,
  { customer: id, scopes, expiresIn, allowedOrigins }: z.output<typeof createCustomerTokenInput>,
  link?: SignedLink,
): Promise<IssuedCustomerToken> {
  return command(session, async (session) => {
    const { em, now, apiKeyId, livemode } = session;
    const granted = customerTokenScopes.filter(
      (scope) => scope === 'read' || scopes?.includes(scope),
    );
    requireScopes(session, 'scopes', granted);
    const end = now.getTime() + (expiresIn ?? tokenSeconds.usual) * 1_000;
    const keyEnd = apiKeyId ? await endOfKey(session, apiKeyId, link) : undefined;
    const customer = await em.findOne(Customer, id, { lockMode: LockMode.PESSIMISTIC_READ });
    if (!customer || customer.archived) {
      if (customer) throw invalid('ARCHIVED', 'customer', `${id} is archived`);
      throw invalid('NOT_FOUND', 'customer', `Unknown customer ${id}`);
    }
    // Compared under the lock, so that no link opens a session after the end of the customer's links.
    if (link && link.epoch !== customer.linkEpoch) {
      throw invalid('ARCHIVED', 'customer', `The links of ${id} were ended`);
    }
    const customerToken = em.create(CustomerToken, {
      customer,
      apiKeyId: apiKeyId ?? null,
      scopes: granted,
      allowedOrigins: allowedOrigins ?? (await usualOrigins(session)),
      expiresAt: new Date(Math.min(end, keyEnd?.getTime() ?? end)),
    });
    await em.flush();
    const { id: tokenId, expiresAt } = customerToken;
    return { customerToken, token: tokenText({ id: tokenId, expiresAt, livemode }) };
  });
}

/** The end of the calling key, locked so that its revocation waits or has happened. */
async function endOfKey(
  { em, now }: Session,
  id: string,
  link: SignedLink | undefined,
): Promise<Date | undefined> {
  const key = await em.findOneOrFail(ApiKey, id, { lockMode: LockMode.PESSIMISTIC_READ });
  if (key.isUsable(now)) return key.expiresAt ?? undefined;
  // A key that has ended before its link was rotated.
  if (link && key.active) return link.expiresAt;
  throw invalid('ARCHIVED', 'customer', 'The calling key is no longer valid');
}

/** The origins of the organization; null where it allows all. */
async function usualOrigins(session: Session): Promise<readonly string[] | null> {
  const { allowedOrigins } = await settingsOf(session);
  return allowedOrigins.length > 0 ? allowedOrigins : null;
}
