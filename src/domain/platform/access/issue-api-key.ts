import type { AccessScope } from '#domain/kernel/access-scopes.ts';
import type { apiKeyTypes, Session } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { hashCredential, maskCredential } from './credential.ts';

/** A key with its full text, which only the response to its creation contains. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly token: string;
}

export interface NewKey {
  name: string;
  type: (typeof apiKeyTypes)[number];
  pricingModelId: string;
  expiresAt: Date | null;
  scopes?: readonly AccessScope[] | null;
  allowedOrigins?: readonly string[] | null;
}

/** Stores the hash and the mask of a credential, never the credential. */
export async function issueApiKey({ em }: Session, credential: string, key: NewKey) {
  const apiKey = em.create(ApiKey, {
    ...key,
    token: maskCredential(credential),
    hashText: hashCredential(credential),
  });
  await em.flush();
  return { apiKey, token: credential };
}
