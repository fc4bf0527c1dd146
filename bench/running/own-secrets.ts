import { secretsKeyFrom, useSecretsKeys } from '#domain/kernel/security/secrets.ts';
import { secretsKey } from './secrets-key.ts';

/** Lets this process read and write secrets as the measured service does: for benchmarks that call the domain themselves. */
export function useSecrets() {
  const key = secretsKeyFrom(secretsKey);
  if (key) useSecretsKeys([key]);
}
